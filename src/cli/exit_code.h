// What the program's exit status says; the table in docs/cli.md.
#pragma once

#include "base/result.h"

namespace yard::cli {

enum class ExitCode {
  kOk = 0,
  kError = 1,
  kUsage = 2,  // wrong arguments, or a configuration that is not valid
  kNotSignedIn = 3,
  kForbidden = 4,
  kNotFound = 5,
  kConflict = 6,
  kUnreachable = 7,

  // Only of `gpuyard server` and `gpuyard up`.
  kCannotListen = 10,
  kDataDirectory = 11,  // cannot be made, read or written
  kLocked = 12,         // another process uses the data directory
  kTls = 13,
  kDatabase = 14,  // damaged, of another program, or newer than this one
};

ExitCode ExitCodeOf(Code code);

}  // namespace yard::cli
