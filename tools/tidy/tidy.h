// All rules over one tree.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/tidy/source.h"

namespace yard::tools {

struct Report {
  std::vector<Finding> findings;  // by path, then line
  int files = 0;
  int long_functions = 0;  // longer than wanted, still allowed
};

// Pure: looks only at what it is given. Files that are not C++ are checked for leftovers only.
Report CheckTree(std::span<const SourceFile> files);

// "file:line: rule: message"
std::string Format(const Finding& finding);

}  // namespace yard::tools
