// The JSON codec: parsing with errors that name line and column, and text output.
//
// Boost.JSON holds parsed values; printing goes straight to text, which is faster than building
// a value first.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "base/result.h"

namespace yard {

namespace json = boost::json;

// Whole text, one value, 64 levels at most, no key twice. The error names line and column.
Result<json::value> ParseJson(std::string_view text);

// Appends `text` as a quoted JSON string. Bytes that are not UTF-8 become U+FFFD.
void AppendJsonString(std::string& out, std::string_view text);

// Indented by two spaces, keys in their order; for people.
std::string PrettyJson(const json::value& value);

}  // namespace yard
