// Several texts in one column: "3:abc0:2:xy". One column costs less to write than many.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yard::store {

void AppendPacked(std::string& out, std::string_view text);

// Takes the first text off; nothing if the rest is not well-formed.
std::optional<std::string_view> TakePacked(std::string_view& rest);

}  // namespace yard::store
