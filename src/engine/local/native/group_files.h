// The files of control groups: where their trees are mounted, and writing to them. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yard::engine {

struct GroupTree {
  std::string mount;
  bool is_v1 = false;
  std::string controllers;  // of v1: "cpu,cpuacct"
};

// As this process sees them, in the kernel's order. `root` is the root of the file system, another
// one for tests.
std::vector<GroupTree> ReadGroupTrees(const std::string& root = "");

// False if the kernel refuses, or if we may not.
bool WriteGroupFile(const std::string& path, std::string_view text);

// Whether a list such as "cpu,cpuacct" or "cpu memory pids" has the word.
bool HasWord(std::string_view list, std::string_view word, char separator);

}  // namespace yard::engine
