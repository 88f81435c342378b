// Sizes, names and leftovers: what can be seen without understanding the code.
#pragma once

#include <vector>

#include "tools/tidy/source.h"

namespace yard::tools {

constexpr int kFunctionLinesWanted = 40;
constexpr int kFunctionLinesMax = 70;
constexpr int kSourceLinesMax = 450;
constexpr int kHeaderLinesMax = 250;
constexpr int kColumnsMax = 100;

// Returns how many functions are longer than wanted.
int CheckSizes(const Source& source, std::vector<Finding>& findings);

// C++ files and their folders are named in snake_case.
void CheckName(const SourceFile& file, std::vector<Finding>& findings);

// Any text file: no notes to self, no path of somebody's machine.
void CheckLeftovers(const SourceFile& file, std::vector<Finding>& findings);

}  // namespace yard::tools
