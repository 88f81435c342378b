// Where the folder of a version of a data set lies, which the server has written for work to read.
//
// The folder is closed to all accounts but the server's; a task sees it by a mount of its own.
// Thread-safe.
#pragma once

#include <string>

#include "base/result.h"

namespace yard::engine {

// `source` is PROJECT/VERSION, a number and 64 hexadecimal digits, so it names nothing but such a
// folder. kInvalid if it is another, or not there.
Result<std::string> DataSetPath(const std::string& all, const std::string& source);

}  // namespace yard::engine
