// Files of NAME=VALUE lines, as shells source them and compose reads them: comments, `export`,
// single and double quotes, `$NAME`, `${NAME}` and `${NAME:-VALUE}`.
//
// Nothing is executed: a line that asks for that is refused. Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace yard::cli {

using EnvValues = std::map<std::string, std::string>;
// The value of a variable that the file does not set itself.
using EnvLookup = std::function<std::optional<std::string>(const std::string& name)>;

// `origin` names the file in messages. What it sets is added to `values`, whose names it may use.
Status ReadEnvFile(std::string_view text, std::string_view origin, const EnvLookup& lookup,
                   EnvValues& values);

}  // namespace yard::cli
