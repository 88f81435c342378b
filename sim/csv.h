// One CSV table with a heading: columns found by name, rows read in turn.
//
// No quoting: traces hold plain names and numbers. Empty lines are passed over. Errors name the
// list (a file, for people), the line and the column. The texts given must outlive the table.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::sim {

class CsvTable {
 public:
  struct Columns {
    std::span<const std::string_view> required;
    std::span<const std::string_view> optional = {};
  };

  // Columns are counted from 0, the required ones first. Others in the text are ignored.
  static Result<CsvTable> Open(std::string_view list, std::string_view csv, const Columns& columns);

  // The next row, which has as many cells as the heading; false at the end.
  Result<bool> Next();

  int line() const { return line_; }

  // Empty for an optional column that the table does not have.
  std::string_view Text(std::size_t column) const;
  // Not negative and at most `most`.
  Result<std::int64_t> Number(std::size_t column, std::int64_t most) const;
  // The same, or `otherwise` where the cell is empty.
  Result<std::int64_t> Number(std::size_t column, std::int64_t most, std::int64_t otherwise) const;
  // Not empty.
  Result<std::string> Name(std::size_t column) const;

  std::unexpected<Error> Wrong(std::size_t column, std::string_view problem) const;

 private:
  CsvTable(std::string_view list, std::string_view csv) : list_(list), rest_(csv) {}
  bool NextLine();

  std::string_view list_;
  std::string_view rest_;
  std::vector<std::string_view> columns_;
  std::vector<std::size_t> places_;
  std::vector<std::string_view> cells_;
  std::size_t width_ = 0;
  int line_ = 0;
};

}  // namespace yard::sim
