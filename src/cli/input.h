// A file that a person names on the command line; "-" is the standard input.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/session.h"

namespace yard::cli {

Result<std::string> ReadInput(Session& session, const std::string& file);

}  // namespace yard::cli
