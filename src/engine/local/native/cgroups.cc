#include "engine/local/native/cgroups.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "base/file.h"
#include "base/log.h"
#include "base/strings.h"
#include "base/uuid.h"
#include "engine/local/native/group_files.h"
#include "engine/local/tasks/spec_text.h"
#include "shim/devices.h"
#include "shim/format.h"

namespace yard::engine {
namespace {

constexpr int kPeriodMicros = 100'000;
constexpr int kMicrosPerMilli = kPeriodMicros / 1000;
constexpr std::uint32_t kMinors = 512;  // more than the driver gives out

bool Exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

bool MakeGroup(const std::string& path) {
  return ::mkdir(path.c_str(), 0755) == 0 || errno == EEXIST;
}

void KillTree(const std::string& group) {
  if (WriteGroupFile(group + "/cgroup.kill", "1")) return;
  for (const int pid : ProcessesIn(group)) ::kill(pid, SIGKILL);
}

// With the groups that a task has made below it. False if a process is left in one of them.
bool RemoveGroup(const std::string& group) {
  if (::rmdir(group.c_str()) == 0 || errno == ENOENT) return true;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(group, ignored))
    if (entry.is_directory(ignored)) RemoveGroup(entry.path());
  return ::rmdir(group.c_str()) == 0 || errno == ENOENT;
}

// Kills until the group can be removed.
void EndGroup(const std::string& group) {
  for (int round = 0; round < 1000; ++round) {
    if (RemoveGroup(group)) return;
    KillTree(group);
    ::poll(nullptr, 0, 5);
  }
  log::Error("what is left of a task cannot be killed", {{"group", group}});
}

}  // namespace

std::string GroupName(const TaskKey& key) {
  return fmt::format("{}.{}", FormatUuid(key.attempt.value), key.rank);
}

std::vector<int> ProcessesIn(const std::string& group) {
  std::vector<int> pids;
  std::ifstream in(group + "/cgroup.procs");
  for (int pid = 0; in >> pid;) pids.push_back(pid);
  return pids;
}

Cgroups Cgroups::Open(const std::string& name, DeviceFilter filter) {
  Cgroups groups;
  if (name.empty()) {
    groups.missing_ = "control groups are switched off";
    return groups;
  }
  groups.FindMounts(name);
  groups.has_filter_ = filter == DeviceFilter::kProgram && groups.tracks() &&
                       shim::CanFilterDevices(groups.tree_.c_str());
  if (groups.tree_.empty())
    groups.missing_ = "no control group (v2) can be made here: run as root, or delegate one";
  return groups;
}

Cgroups Cgroups::OpenAt(const std::string& mount, const std::string& name) {
  Cgroups groups;
  groups.TakeTree(mount, name);
  return groups;
}

void Cgroups::FindMounts(const std::string& name) {
  for (const GroupTree& tree : ReadGroupTrees()) {
    if (tree.is_v1) TakeV1(tree.mount, tree.controllers, name);
    if (!tree.is_v1 && tree_.empty()) TakeTree(tree.mount, name);
  }
}

void Cgroups::TakeTree(const std::string& mount, const std::string& name) {
  const std::string folder = mount + "/" + name;
  if (!MakeGroup(folder) || ::access(folder.c_str(), W_OK) != 0) return;
  tree_ = folder;
  const std::string offered = ReadFileOrEmpty(mount + "/cgroup.controllers");
  auto take = [&](std::string_view controller, Controller& into) {
    if (!HasWord(offered, controller, ' ')) return;
    const std::string enable = fmt::format("+{}", controller);
    const bool on = WriteGroupFile(mount + "/cgroup.subtree_control", enable) &&
                    WriteGroupFile(folder + "/cgroup.subtree_control", enable);
    if (on) into = {folder, false};
  };
  take("memory", memory_);
  take("cpu", cpu_);
  take("pids", pids_);
  take("dmem", device_);
  device_memory_ = DeviceMemory::Read(mount);
}

void Cgroups::TakeV1(const std::string& mount, const std::string& options,
                     const std::string& name) {
  auto take = [&](std::string_view controller, Controller& into) {
    if (!into.folder.empty() || !HasWord(options, controller, ',')) return;
    const std::string folder = mount + "/" + name;
    if (MakeGroup(folder) && ::access(folder.c_str(), W_OK) == 0) into = {folder, true};
  };
  take("memory", memory_);
  take("cpu", cpu_);
  take("pids", pids_);
  take("devices", devices_);
}

void Cgroups::Close() const {
  for (const std::string& folder :
       {tree_, memory_.folder, cpu_.folder, pids_.folder, devices_.folder})
    if (!folder.empty()) ::rmdir(folder.c_str());
}

Cgroups::Places Cgroups::PlacesOf(const TaskSpec& spec) const {
  const std::string name = "/" + GroupName(spec.key);
  Places places;
  if (tracks()) places.tree = tree_ + name;
  auto add = [&](const Controller& controller) {
    if (controller.folder.empty() || !controller.v1) return;
    const std::string path = controller.folder + name;
    if (std::ranges::find(places.v1, path) == places.v1.end()) places.v1.push_back(path);
  };
  if (spec.limits.memory.value > 0) add(memory_);
  if (spec.limits.cpu.value > 0) add(cpu_);
  if (spec.limits.pids > 0) add(pids_);
  if (!has_filter_ && !spec.container) add(devices_);
  places.memory_is_v1 = memory_.v1;
  if (memory_.folder.empty()) return places;
  if (!memory_.v1 || spec.limits.memory.value > 0) places.memory = memory_.folder + name;
  return places;
}

std::string Cgroups::LinesFor(const TaskSpec& spec) const {
  const Places places = PlacesOf(spec);
  const std::string name = "/" + GroupName(spec.key);
  std::string out;
  if (!places.tree.empty()) AppendSpecLine(out, shim::key::kTree, places.tree);
  for (const std::string& group : places.v1) AppendSpecLine(out, shim::key::kGroupV1, group);
  auto set = [&](const Controller& where, std::string_view file, const std::string& value) {
    // A file the kernel does not have (swap may be off) limits nothing either.
    if (where.folder.empty() || !Exists(fmt::format("{}/{}", where.folder, file))) return;
    AppendSpecLine(out, shim::key::kSet,
                   fmt::format("{}{}/{}={}", where.folder, name, file, value));
  };
  if (const std::int64_t memory = spec.limits.memory.value << 20; memory > 0) {
    const std::string bytes = fmt::format("{}", memory);
    set(memory_, memory_.v1 ? "memory.limit_in_bytes" : "memory.max", bytes);
    set(memory_, memory_.v1 ? "memory.memsw.limit_in_bytes" : "memory.swap.max",
        memory_.v1 ? bytes : "0");
    AppendSpecLine(out, shim::key::kOom,
                   places.memory + (memory_.v1 ? "/memory.oom_control" : "/memory.events"));
  }
  if (const std::int64_t quota = spec.limits.cpu.value * kMicrosPerMilli; quota > 0) {
    const std::int64_t allowed = std::max<std::int64_t>(quota, 1000);
    set(cpu_, cpu_.v1 ? "cpu.cfs_quota_us" : "cpu.max",
        cpu_.v1 ? fmt::format("{}", allowed) : fmt::format("{} {}", allowed, kPeriodMicros));
  }
  if (spec.limits.pids > 0) set(pids_, "pids.max", fmt::format("{}", spec.limits.pids));
  return out;
}

std::string Cgroups::FilterLinesFor(const TaskSpec& spec, const DeviceAccess& access) const {
  std::string out;
  if (!has_filter_) return filters_devices() ? DenyLinesFor(spec, access) : out;
  for (const std::uint32_t major : access.guarded)
    AppendSpecLine(out, shim::key::kGuardDevices, std::to_string(major));
  for (const auto& [major, minor] : access.granted)
    AppendSpecLine(out, shim::key::kGrantDevice, fmt::format("{}:{}", major, minor));
  return out;
}

// This controller knows no exception from a refused range, so numbers of which some are granted
// are refused one by one.
std::string Cgroups::DenyLinesFor(const TaskSpec& spec, const DeviceAccess& access) const {
  std::string out;
  const std::string file = fmt::format("{}/{}/devices.deny", devices_.folder, GroupName(spec.key));
  auto granted = [&](std::uint32_t major, std::uint32_t minor) {
    return std::ranges::any_of(access.granted, [&](const shim::DeviceNumber& device) {
      return device.major == major && device.minor == minor;
    });
  };
  for (const std::uint32_t major : access.guarded) {
    if (std::ranges::find(access.granted, major, &shim::DeviceNumber::major) ==
        access.granted.end()) {
      AppendSpecLine(out, shim::key::kSet, fmt::format("{}=c {}:* rwm", file, major));
      continue;
    }
    for (std::uint32_t minor = 0; minor < kMinors; ++minor)
      if (!granted(major, minor))
        AppendSpecLine(out, shim::key::kSet, fmt::format("{}=c {}:{} rwm", file, major, minor));
  }
  return out;
}

// The limit is kept by the kernel, and the request is not evicted for others.
std::vector<Cgroups::Entry> Cgroups::DeviceEntries(const TaskSpec& spec,
                                                   std::span<const std::string> addresses) const {
  std::vector<Entry> entries;
  if (device_.folder.empty()) return entries;
  auto add = [&](std::string_view file, const std::string& address, Mebibytes amount) {
    if (!Exists(fmt::format("{}/{}", device_.folder, file))) return;
    for (std::string& value : device_memory_.EntriesFor(address, amount))
      entries.push_back(
          {fmt::format("{}/{}/{}", device_.folder, GroupName(spec.key), file), std::move(value)});
  };
  for (std::size_t i = 0; i < spec.gpus.size() && i < addresses.size(); ++i) {
    const GpuGrant& gpu = spec.gpus[i];
    if (gpu.part.value >= 1000) continue;
    add("dmem.max", addresses[i], std::max(gpu.memory, gpu.limit));
    add("dmem.min", addresses[i], gpu.memory);
  }
  return entries;
}

std::string Cgroups::DeviceLinesFor(const TaskSpec& spec,
                                    std::span<const std::string> addresses) const {
  std::string out;
  for (const Entry& entry : DeviceEntries(spec, addresses))
    AppendSpecLine(out, shim::key::kSet, fmt::format("{}={}", entry.path, entry.value));
  return out;
}

void Cgroups::SetDeviceLimits(const TaskSpec& spec, std::span<const std::string> addresses) const {
  for (const Entry& entry : DeviceEntries(spec, addresses)) WriteGroupFile(entry.path, entry.value);
}

void Cgroups::End(const TaskSpec& spec) const {
  const Places places = PlacesOf(spec);
  if (!places.tree.empty()) EndGroup(places.tree);
  for (const std::string& group : places.v1) EndGroup(group);
}

}  // namespace yard::engine
