// Percent-encoding and query strings. Pure functions; any bytes may come in.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace yard::http {

using QueryPair = std::pair<std::string, std::string>;

// "a%20b" becomes "a b"; "+" stays. A "%" without two hex digits, or an encoded NUL, is an error.
Result<std::string> DecodePercent(std::string_view text);

// Encodes everything but letters, digits and "-._~".
std::string EncodePercent(std::string_view text);

// "a=1&b=x+y&c" becomes {a,1} {b,"x y"} {c,""}: order and repeats are kept, "+" is a space, empty
// pieces are left out, so an empty query has no pairs.
Result<std::vector<QueryPair>> ParseQuery(std::string_view query);

// The segments of an encoded path, each decoded: "/api/v1/a%2Fb" has {"api", "v1", "a/b"}.
// Empty segments are left out; "." and ".." are errors.
Result<std::vector<std::string>> SplitPath(std::string_view path);

}  // namespace yard::http
