// The small language of the text cluster: statements of words. Used by tests only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/quantity.h"
#include "base/time.h"

namespace yard::sched {

// Non-blank parts between separators.
std::vector<std::string> Cut(std::string_view text, char separator);

// "0.5" is 500.
std::int64_t Milli(const std::string& text);

// "2h" and the like.
Micros ParseSpan(const std::string& text);

template <class Table>
std::int32_t RowOf(const Table& table, const std::string& name) {
  const auto at = std::ranges::find_if(table, [&](const auto& row) { return row.name == name; });
  YARD_CHECK(at != table.end());
  return static_cast<std::int32_t>(at - table.begin());
}

// One statement: a noun, a name, key=value pairs.
struct Words {
  enum class Noun { kPresent, kAbsent };
  std::string noun;
  std::string name;
  std::vector<std::pair<std::string, std::string>> pairs;

  Words(std::string_view text, Noun has_noun);
  const std::string* Find(const std::string& key) const;
  bool Has(const std::string& key) const { return Find(key) != nullptr; }
  std::string Text(const std::string& key, const std::string& otherwise = "") const;
  std::int64_t Number(const std::string& key, std::int64_t otherwise) const;
};

}  // namespace yard::sched
