// Small text functions shared by every module.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yard {

std::vector<std::string_view> Split(std::string_view text, char separator);
std::string_view Trim(std::string_view text);
std::string Join(std::span<const std::string> parts, std::string_view separator);
std::string Lower(std::string_view text);
bool EqualsIgnoreCase(std::string_view a, std::string_view b);
bool ContainsIgnoreCase(std::string_view text, std::string_view part);

// A whole decimal number, nothing around it.
std::optional<std::int64_t> ParseInt(std::string_view text);

// The candidate with the fewest edits from `word`, if close enough to be a likely typing error.
std::optional<std::string_view> Nearest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace yard
