#include "engine/slurm/rows.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace yard::engine::slurm {
namespace {

bool IsKeyByte(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == ':' || c == '/';
}

// The length of the key that a word begins with; 0: none.
std::size_t KeyLength(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return 0;
  if (word[0] < 'A' || word[0] > 'Z') return 0;
  return std::ranges::all_of(word.substr(0, equals), IsKeyByte) ? equals : 0;
}

bool IsNothing(std::string_view value) {
  return value == "(null)" || value == "N/A" || value == "none" || value == "n/a";
}

void Keep(Row& row, std::string_view key, std::string_view value) {
  value = Trim(value);
  if (!key.empty()) row.emplace(key, IsNothing(value) ? std::string_view() : value);
}

Row ParseRow(std::string_view line) {
  Row row;
  std::string_view key;
  std::string_view value;
  for (std::string_view word : Split(line, ' ')) {
    if (const std::size_t length = KeyLength(word); length > 0) {
      Keep(row, key, value);
      key = word.substr(0, length);
      value = word.substr(length + 1);
    } else if (!key.empty()) {
      value = std::string_view(value.data(),
                               static_cast<std::size_t>(word.data() + word.size() - value.data()));
    }
  }
  Keep(row, key, value);
  return row;
}

}  // namespace

std::vector<Row> ParseRows(std::string_view text) {
  std::vector<Row> rows;
  for (std::string_view line : Split(text, '\n')) {
    if (Trim(line).empty()) continue;
    Row row = ParseRow(line);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::string_view Field(const Row& row, std::string_view key) {
  auto found = row.find(key);
  return found == row.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<Time> ParseSlurmTime(std::string_view text) {
  constexpr std::size_t kLength = 19;
  text = Trim(text);
  if (text.size() != kLength) return std::nullopt;
  return ParseRfc3339(std::string(text) + "Z");
}

}  // namespace yard::engine::slurm
