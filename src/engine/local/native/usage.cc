#include "engine/local/native/usage.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::engine {
namespace {

std::int64_t ReadNumber(const std::string& path) {
  std::int64_t number = -1;
  std::ifstream(path) >> number;
  return number;
}

// The number behind `name` in a file of lines "name number"; -1 if there is none.
std::int64_t ReadNamed(const std::string& path, std::string_view name) {
  std::ifstream in(path);
  std::string word;
  for (std::int64_t number = 0; in >> word >> number;)
    if (word == name) return number;
  return -1;
}

Mebibytes ToMebibytes(std::int64_t bytes) {
  return Mebibytes((std::max<std::int64_t>(bytes, 0) + (1 << 20) - 1) >> 20);
}

// Fields of /proc/PID/stat behind the name, which may hold anything: the first is the state.
std::vector<std::string> StatOf(int pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(in, text);
  const std::size_t close = text.rfind(')');
  std::vector<std::string> fields;
  if (close == std::string::npos) return fields;
  std::istringstream rest(text.substr(close + 1));
  for (std::string field; rest >> field;) fields.push_back(field);
  return fields;
}

std::int64_t Field(const std::vector<std::string>& fields, std::size_t index) {
  return index < fields.size() ? ParseInt(fields[index]).value_or(0) : 0;
}

constexpr std::size_t kState = 0, kSession = 3, kUserTicks = 11, kSystemTicks = 12, kBirth = 19;

void AddCpu(int pid, TaskUsage& usage) {
  const std::vector<std::string> stat = StatOf(pid);
  const std::int64_t ticks = Field(stat, kUserTicks) + Field(stat, kSystemTicks);
  usage.cpu += Micros(ticks * (1'000'000 / ::sysconf(_SC_CLK_TCK)));
}

void AddMemory(int pid, std::int64_t& now, std::int64_t& peak) {
  constexpr std::int64_t kKib = 1024;
  std::ifstream in(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name;
    std::int64_t kib = 0;
    words >> name >> kib;
    if (name == "VmRSS:") now += kib * kKib;
    if (name == "VmHWM:") peak += kib * kKib;
  }
}

void AddTransfers(int pid, TaskUsage& usage) {
  const std::string path = fmt::format("/proc/{}/io", pid);
  usage.read_bytes += std::max<std::int64_t>(ReadNamed(path, "read_bytes:"), 0);
  usage.write_bytes += std::max<std::int64_t>(ReadNamed(path, "write_bytes:"), 0);
}

void ReadGroupMemory(const Cgroups::Places& places, TaskUsage& usage) {
  const std::string& group = places.memory;
  const char* now = places.memory_is_v1 ? "memory.usage_in_bytes" : "memory.current";
  const char* peak = places.memory_is_v1 ? "memory.max_usage_in_bytes" : "memory.peak";
  const char* cache = places.memory_is_v1 ? "total_inactive_file" : "inactive_file";
  const std::int64_t total = ReadNumber(fmt::format("{}/{}", group, now));
  // Cached file pages are given back when others need room: they are not the task's need.
  const std::int64_t cached = std::max<std::int64_t>(ReadNamed(group + "/memory.stat", cache), 0);
  usage.memory = ToMebibytes(total - cached);
  usage.memory_peak = ToMebibytes(ReadNumber(fmt::format("{}/{}", group, peak)));
}

}  // namespace

std::string BirthOf(int pid) {
  const std::vector<std::string> stat = StatOf(pid);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return stat.size() > kBirth ? fmt::format("{}/{}", boot, stat[kBirth]) : std::string();
}

bool IsItself(const TaskRecord& record) {
  return record.pid > 0 && !record.born.empty() && BirthOf(record.pid) == record.born;
}

std::vector<int> SessionOf(int leader) {
  std::vector<int> found;
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/proc"), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    const std::optional<std::int64_t> pid = ParseInt(entry->d_name);
    if (pid && Field(StatOf(static_cast<int>(*pid)), kSession) == leader)
      found.push_back(static_cast<int>(*pid));
  }
  return found;
}

bool HasLiveSession(int leader) {
  return std::ranges::any_of(SessionOf(leader), [](int pid) {
    const std::vector<std::string> stat = StatOf(pid);
    return stat.size() > kState && stat[kState] != "Z" && stat[kState] != "X";
  });
}

TaskUsage ReadUse(const Cgroups::Places& places, const TaskKey& key, std::span<const int> pids) {
  TaskUsage usage;
  usage.key = key;
  usage.processes = static_cast<std::int64_t>(pids.size());
  std::int64_t now = 0;
  std::int64_t peak = 0;
  for (const int pid : pids) {
    AddTransfers(pid, usage);
    AddMemory(pid, now, peak);
    if (places.tree.empty()) AddCpu(pid, usage);
  }
  usage.memory = ToMebibytes(now);
  usage.memory_peak = ToMebibytes(peak);
  if (!places.memory.empty()) ReadGroupMemory(places, usage);
  if (!places.tree.empty())
    usage.cpu =
        Micros(std::max<std::int64_t>(ReadNamed(places.tree + "/cpu.stat", "usage_usec"), 0));
  return usage;
}

}  // namespace yard::engine
