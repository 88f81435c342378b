// Takes out what looks like a secret. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace yard::cli {

// Values under names such as PASSWORD, TOKEN, SECRET or KEY become "***", also those of
// {name, value} pairs.
json::value Masked(const json::value& value);
bool LooksSecret(std::string_view name);

// The values that Masked takes out, and a text without them, since programs print what they were
// given. Values of fewer than four characters stay: too much else would be taken for them.
std::vector<std::string> SecretValues(const json::value& value);
std::string Without(std::string text, const std::vector<std::string>& values);

}  // namespace yard::cli
