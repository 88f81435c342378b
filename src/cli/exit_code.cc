#include "cli/exit_code.h"

namespace yard::cli {

ExitCode ExitCodeOf(Code code) {
  switch (code) {
    case Code::kUnauthorized:
      return ExitCode::kNotSignedIn;
    case Code::kForbidden:
      return ExitCode::kForbidden;
    case Code::kNotFound:
      return ExitCode::kNotFound;
    case Code::kConflict:
      return ExitCode::kConflict;
    case Code::kUnavailable:
      return ExitCode::kUnreachable;
    case Code::kInvalid:
    case Code::kPrecondition:
    case Code::kTooLarge:
    case Code::kTooMany:
    case Code::kUnsupported:
    case Code::kInternal:
      return ExitCode::kError;
  }
  return ExitCode::kError;
}

}  // namespace yard::cli
