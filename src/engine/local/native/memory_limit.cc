#include "engine/local/native/memory_limit.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/strings.h"

namespace yard::engine {
namespace {

// v1 says "no limit" by a number that no machine reaches.
constexpr std::int64_t kUnlimited = std::int64_t{1} << 62;

constexpr std::string_view kLimit = "/memory.max";
constexpr std::string_view kLimitV1 = "/memory.limit_in_bytes";
constexpr std::string_view kWithSwapV1 = "/memory.memsw.limit_in_bytes";

bool WriteTo(const std::string& path, std::string_view text) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  return fd && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool HasWord(std::string_view text, std::string_view word) {
  for (std::string_view one : Split(text, ','))
    if (one == word) return true;
  return false;
}

struct Tree {
  std::string mount;
  std::string path;  // of the process in it
  bool is_v1 = false;
};

// Where memory is counted: in v1 if its controller is there, else in v2.
// "36 35 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory"
Tree FindTree(const std::string& root) {
  Tree found;
  std::ifstream in(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto front = Split(std::string_view(line).substr(0, dash), ' ');
    const auto back = Split(std::string_view(line).substr(dash + 3), ' ');
    if (front.size() < 5 || back.size() < 3) continue;
    const bool is_v1 = back[0] == "cgroup" && HasWord(back[2], "memory");
    if (is_v1 || (back[0] == "cgroup2" && found.mount.empty()))
      found = {root + std::string(front[4]), {}, is_v1};
    if (is_v1) break;
  }
  return found;
}

// "0::/gpuyard/…" or "7:memory:/gpuyard/…"
std::string PathOf(const std::string& root, int pid, bool is_v1) {
  std::ifstream in(fmt::format("{}/proc/{}/cgroup", root, pid));
  for (std::string line; std::getline(in, line);) {
    const auto words = Split(line, ':');
    if (words.size() != 3) continue;
    if (is_v1 ? HasWord(words[1], "memory") : words[1].empty()) return std::string(words[2]);
  }
  return {};
}

std::optional<std::int64_t> ReadLimit(const std::string& group, bool is_v1) {
  const std::string text = ReadFileOrEmpty(group + std::string(is_v1 ? kLimitV1 : kLimit));
  const std::optional<std::int64_t> bytes = ParseInt(Trim(text));
  return bytes && *bytes < kUnlimited ? bytes : std::nullopt;
}

}  // namespace

MemoryLimit::MemoryLimit(std::string group, bool is_v1, Mebibytes size)
    : group_(std::move(group)), is_v1_(is_v1), size_(size) {}

std::optional<MemoryLimit> MemoryLimit::Of(int pid, const std::string& root) {
  Tree tree = FindTree(root);
  tree.path = PathOf(root, pid, tree.is_v1);
  while (tree.path.size() > 1) {
    const std::string group = tree.mount + tree.path;
    if (const auto bytes = ReadLimit(group, tree.is_v1))
      return MemoryLimit(group, tree.is_v1, Mebibytes(*bytes >> 20));
    tree.path.resize(tree.path.rfind('/'));
  }
  return std::nullopt;
}

// In v1 the limit with swap is never below the one without.
bool MemoryLimit::Set(Mebibytes size) {
  const std::string bytes = fmt::format("{}", size.value << 20);
  const std::string with_swap = group_ + std::string(kWithSwapV1);
  const bool swap_too = is_v1_ && ::access(with_swap.c_str(), F_OK) == 0;
  if (swap_too && size > size_ && !WriteTo(with_swap, bytes)) return false;
  if (!WriteTo(group_ + std::string(is_v1_ ? kLimitV1 : kLimit), bytes)) return false;
  if (swap_too && size <= size_ && !WriteTo(with_swap, bytes)) return false;
  size_ = size;
  return true;
}

}  // namespace yard::engine
