// Takes out what looks like a secret. Pure.
#pragma once

#include <string_view>

#include "base/json.h"

namespace yard::cli {

// Values under names such as PASSWORD, TOKEN, SECRET or KEY become "***", also those of
// {name, value} pairs.
json::value Masked(const json::value& value);
bool LooksSecret(std::string_view name);

}  // namespace yard::cli
