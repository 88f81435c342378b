// Finds functions and their lengths without parsing C++.
//
// Follows braces through code that has no comments or literals left. A brace opens a function if
// what stands before it looks like a signature; everything inside, lambdas included, counts towards
// the outermost function. The length runs from the signature to the closing brace.
#pragma once

#include <string>
#include <vector>

#include "tools/tidy/source.h"

namespace yard::tools {

struct Function {
  std::string name;  // what stands before the parameters, or the macro's name for a test
  int line = 0;      // of the signature
  int length = 0;    // lines
};

std::vector<Function> FindFunctions(const Source& source);

}  // namespace yard::tools
