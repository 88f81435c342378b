// JSON as text, numbers as people write them: 0.5, not 5E-1. Pure.
#pragma once

#include <string>

#include "base/json.h"

namespace yard {

// On one line.
std::string JsonText(const json::value& value);
std::string JsonText(const json::object& value);
std::string JsonText(const json::array& value);

}  // namespace yard
