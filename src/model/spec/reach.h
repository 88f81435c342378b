// The ports of a pod, and the people who may open its web pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace yard {

struct ToolUrl {
  std::uint16_t port = 0;
  bool open_to_all = false;  // to everybody who is signed in
  std::vector<std::string> users;
  std::vector<std::string> groups;
  std::string kind = {};  // "jupyter-notebook"
  std::string name = {};  // for people
};

struct ReachSpec {
  std::vector<std::uint16_t> ports;  // sorted, without repeats; those of the pages included
  std::vector<ToolUrl> urls;
  std::optional<ToolUrl> serving;  // inference only
};

}  // namespace yard
