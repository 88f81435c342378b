// Makes what a folder holds survive a power cut: names are kept in the folder, not in the files.
#pragma once

#include <string>

#include "base/result.h"

namespace yard {

// kUnavailable with the path and the system's words. Input and output; thread-safe.
Status SyncFolder(const std::string& path);

}  // namespace yard
