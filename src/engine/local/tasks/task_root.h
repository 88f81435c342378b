// The folder in which tasks have theirs. Does input and output; thread-safe.
#pragma once

#include <string>

#include "base/result.h"

namespace yard::engine {

// Makes it, with the folders around it. kUnavailable if something else is there.
Status MakeTaskRoot(const std::string& root);

}  // namespace yard::engine
