// Whole files as text. Every call does input and output. Thread-safe.
#pragma once

#include <string>

#include "base/result.h"

namespace yard {

// Also of files that do not know their size, such as those of /proc. kNotFound if there is no such
// file, else kUnavailable; the message has the path and the system's words.
Result<std::string> ReadFile(const std::string& path);

// For files whose absence says nothing else than their emptiness.
std::string ReadFileOrEmpty(const std::string& path);

}  // namespace yard
