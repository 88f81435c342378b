// Python code that the program carries, run by the user's own Python with the standard library
// alone, so that nothing has to be installed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/result.h"

namespace yard::cli {

// A package of the modules in `code` ("package" and "package.module", each with its text).
struct CarriedPython {
  std::vector<std::string> python;  // the interpreter, and words for it
  const boost::json::object& code;
  std::string module;  // of the package; its main() takes the arguments and the variables
};

// Calls main(arguments, variables) and waits; the result is the exit code. The variables go by
// standard input: everybody on the machine sees the command line of a process.
Result<int> RunCarried(const CarriedPython& what, const std::vector<std::string>& arguments,
                       const boost::json::object& variables);

}  // namespace yard::cli
