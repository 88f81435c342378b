#include "engine/local/native/group_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/fd.h"
#include "base/strings.h"

namespace yard::engine {

// "36 35 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory"
std::vector<GroupTree> ReadGroupTrees(const std::string& root) {
  std::vector<GroupTree> trees;
  std::ifstream in(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto front = Split(std::string_view(line).substr(0, dash), ' ');
    const auto back = Split(std::string_view(line).substr(dash + 3), ' ');
    if (front.size() < 5 || back.size() < 3) continue;
    if (back[0] != "cgroup" && back[0] != "cgroup2") continue;
    trees.push_back({root + std::string(front[4]), back[0] == "cgroup", std::string(back[2])});
  }
  return trees;
}

bool WriteGroupFile(const std::string& path, std::string_view text) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  return fd && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool HasWord(std::string_view list, std::string_view word, char separator) {
  const auto words = Split(Trim(list), separator);
  return std::ranges::find(words, word) != words.end();
}

}  // namespace yard::engine
