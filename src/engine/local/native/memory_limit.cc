#include "engine/local/native/memory_limit.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "base/file.h"
#include "base/strings.h"
#include "engine/local/native/group_files.h"

namespace yard::engine {
namespace {

// v1 says "no limit" by a number that no machine reaches.
constexpr std::int64_t kUnlimited = std::int64_t{1} << 62;

constexpr std::string_view kLimit = "/memory.max";
constexpr std::string_view kLimitV1 = "/memory.limit_in_bytes";
constexpr std::string_view kWithSwapV1 = "/memory.memsw.limit_in_bytes";
constexpr std::string_view kUsed = "/memory.current";
constexpr std::string_view kUsedV1 = "/memory.usage_in_bytes";

// Where memory is counted: in v1 if its controller is there, else in v2.
GroupTree FindTree(const std::string& root) {
  GroupTree found;
  for (const GroupTree& tree : ReadGroupTrees(root)) {
    if (tree.is_v1 && HasWord(tree.controllers, "memory", ',')) return tree;
    if (!tree.is_v1 && found.mount.empty()) found = tree;
  }
  return found;
}

// "0::/gpuyard/…" or "7:memory:/gpuyard/…"
std::string PathOf(const std::string& root, int pid, bool is_v1) {
  std::ifstream in(fmt::format("{}/proc/{}/cgroup", root, pid));
  for (std::string line; std::getline(in, line);) {
    const auto words = Split(line, ':');
    if (words.size() != 3) continue;
    if (is_v1 ? HasWord(words[1], "memory", ',') : words[1].empty()) return std::string(words[2]);
  }
  return {};
}

std::optional<Mebibytes> ReadSize(const std::string& path) {
  const std::optional<std::int64_t> bytes = ParseInt(Trim(ReadFileOrEmpty(path)));
  if (!bytes || *bytes >= kUnlimited) return std::nullopt;
  return Mebibytes(*bytes >> 20);
}

}  // namespace

MemoryLimits MemoryLimits::Of(int pid, std::string_view name, const std::string& root) {
  MemoryLimits all;
  const GroupTree tree = FindTree(root);
  all.is_v1_ = tree.is_v1;
  std::string path = PathOf(root, pid, tree.is_v1);
  if (tree.mount.empty() || !path.starts_with('/')) return all;
  for (bool last = false; !last;) {
    const std::size_t slash = path.rfind('/');
    last = path.size() <= 1;
    const std::string group = tree.mount + (last ? "" : path);
    const auto limit = ReadSize(group + std::string(tree.is_v1 ? kLimitV1 : kLimit));
    const auto used = ReadSize(group + std::string(tree.is_v1 ? kUsedV1 : kUsed));
    const bool own = HasWord(path, name, '/');
    const bool below = own && path.substr(slash + 1) != name;
    if (limit) all.groups_.push_back({group, own, below, *limit, used.value_or(Mebibytes(0))});
    path.resize(std::max<std::size_t>(slash, 1));
  }
  return all;
}

std::optional<Mebibytes> MemoryLimits::Own() const {
  const auto found = std::ranges::find_if(groups_, &Group::own);
  return found == groups_.end() ? std::nullopt : std::optional(found->limit);
}

std::optional<Mebibytes> MemoryLimits::RoomOutside() const {
  std::optional<Mebibytes> least;
  for (const Group& group : groups_) {
    if (group.own) continue;
    const Mebibytes room = std::max(group.limit - group.used, Mebibytes(0));
    least = std::min(least.value_or(room), room);
  }
  return least;
}

// In v1 the limit with swap is never below the one without.
bool MemoryLimits::Set(Group& group, Mebibytes limit) const {
  if (limit == group.limit) return true;
  const std::string bytes = fmt::format("{}", limit.value << 20);
  const std::string with_swap = group.path + std::string(kWithSwapV1);
  const bool swap_too = is_v1_ && ::access(with_swap.c_str(), F_OK) == 0;
  if (swap_too && limit > group.limit && !WriteGroupFile(with_swap, bytes)) return false;
  if (!WriteGroupFile(group.path + std::string(is_v1_ ? kLimitV1 : kLimit), bytes)) return false;
  if (swap_too && limit < group.limit && !WriteGroupFile(with_swap, bytes)) return false;
  group.limit = limit;
  return true;
}

bool MemoryLimits::Raise(Mebibytes launched, Mebibytes more) {
  bool all = true;
  for (Group& group : groups_) {
    if (!group.own || group.limit < launched) continue;
    all = Set(group, launched + more + (group.below ? kInnerMargin : Mebibytes(0))) && all;
  }
  return all;
}

}  // namespace yard::engine
