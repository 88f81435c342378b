#include "sim/csv.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.h"

namespace yard::sim {
namespace {

constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

}  // namespace

Result<CsvTable> CsvTable::Open(std::string_view list, std::string_view csv,
                                const Columns& columns) {
  CsvTable table(list, csv);
  if (!table.NextLine()) return Fail(Code::kInvalid, fmt::format("{}: the file is empty", list));
  table.width_ = table.cells_.size();
  const auto add = [&table](std::string_view column) {
    const auto found = std::ranges::find(table.cells_, column, Trim);
    const bool absent = found == table.cells_.end();
    table.places_.push_back(absent ? kAbsent
                                   : static_cast<std::size_t>(found - table.cells_.begin()));
    table.columns_.push_back(column);
    return !absent;
  };
  for (std::string_view column : columns.required) {
    if (add(column)) continue;
    return Fail(Code::kInvalid, fmt::format("{}: line 1: column \"{}\" is missing", list, column));
  }
  for (std::string_view column : columns.optional) add(column);
  return table;
}

bool CsvTable::NextLine() {
  while (!rest_.empty()) {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view row = Trim(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    if (row.empty()) continue;
    cells_ = Split(row, ',');
    return true;
  }
  return false;
}

Result<bool> CsvTable::Next() {
  if (!NextLine()) return false;
  if (cells_.size() == width_) return true;
  return Fail(Code::kInvalid, fmt::format("{}: line {}: {} fields where the heading has {}", list_,
                                          line_, cells_.size(), width_));
}

std::string_view CsvTable::Text(std::size_t column) const {
  return places_[column] == kAbsent ? std::string_view() : Trim(cells_[places_[column]]);
}

Result<std::int64_t> CsvTable::Number(std::size_t column, std::int64_t most) const {
  const auto value = ParseInt(Text(column));
  if (!value) return Wrong(column, "is not a whole number");
  if (*value < 0) return Wrong(column, "is negative");
  if (*value > most) return Wrong(column, fmt::format("is more than {}", most));
  return *value;
}

Result<std::int64_t> CsvTable::Number(std::size_t column, std::int64_t most,
                                      std::int64_t otherwise) const {
  if (Text(column).empty()) return otherwise;
  return Number(column, most);
}

Result<std::string> CsvTable::Name(std::size_t column) const {
  if (Text(column).empty()) return Wrong(column, "is empty");
  return std::string(Text(column));
}

std::unexpected<Error> CsvTable::Wrong(std::size_t column, std::string_view problem) const {
  const std::string text(Text(column).substr(0, 80));
  Error error{Code::kInvalid, fmt::format("{}: line {}: {} \"{}\" {}", list_, line_,
                                          columns_[column], text, problem)};
  error.fields.push_back({std::string(columns_[column]), std::string(problem)});
  return std::unexpected(std::move(error));
}

}  // namespace yard::sim
