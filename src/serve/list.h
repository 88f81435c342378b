// Lists the way Run:ai's clients ask for them: filterBy, search, sortBy, sortOrder, offset, limit.
//
// A resource describes its columns once; filtering, sorting, searching and paging follow.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace yard::serve {

// A cell. Texts are borrowed from the object or owned when they had to be made.
using Cell =
    std::variant<std::monostate, std::string_view, std::string, std::int64_t, double, Time, bool>;

enum class Compare { kEqual, kNotEqual, kAtMost, kAtLeast, kContains, kLacks, kStarts, kEnds };

// One "field op value" of filterBy.
struct Condition {
  std::string field;
  Compare compare = Compare::kEqual;
  std::string value;
};

struct ListQuery {
  std::vector<Condition> filter;
  std::string search;
  std::string sort_by;  // empty: the list's own order
  bool descending = false;
  std::size_t offset = 0;
  std::size_t limit = 500;
};

// "name==a,phase!=Ready" into conditions. The error names the part that is wrong.
Result<std::vector<Condition>> ParseFilter(std::string_view text);

using QueryPairs = std::vector<std::pair<std::string, std::string>>;
// Reads the list parameters; `fields` are the names that may be filtered and sorted by.
Result<ListQuery> ParseListQuery(const QueryPairs& query, std::span<const std::string_view> fields);

// A condition made ready for many cells: its value is read as a number and a time only once.
// Texts compare without regard to case for contains, starts and ends; numbers and times compare
// by value.
class Matcher {
 public:
  explicit Matcher(const Condition& condition);
  bool Matches(const Cell& cell) const;

 private:
  Compare compare_;
  std::string value_;
  std::optional<double> number_;
  std::optional<double> micros_;
};
inline bool Matches(const Condition& condition, const Cell& cell) {
  return Matcher(condition).Matches(cell);
}
bool CellContains(const Cell& cell, std::string_view part);

template <class T>
struct Column {
  std::string_view name;
  Cell (*get)(const T& row);
  bool searchable = false;
};

template <class T>
struct Page {
  std::vector<const T*> rows;
  std::size_t total = 0;            // rows that match, before paging
  std::optional<std::size_t> next;  // offset of the next page
};

template <class T>
std::vector<std::string_view> ColumnNames(std::span<const Column<T>> columns) {
  std::vector<std::string_view> names;
  for (const Column<T>& column : columns) names.push_back(column.name);
  return names;
}

template <class T>
const Column<T>* FindColumn(std::span<const Column<T>> columns, std::string_view name) {
  for (const Column<T>& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

// A query with its columns found, ready to be asked about many rows.
template <class T>
class RowFilter {
 public:
  RowFilter(std::span<const Column<T>> columns, const ListQuery& query) : search_(query.search) {
    for (const Condition& condition : query.filter) {
      conditions_.emplace_back(FindColumn(columns, condition.field)->get, Matcher(condition));
    }
    for (const Column<T>& column : columns) {
      if (column.searchable && !search_.empty()) searched_.push_back(column.get);
    }
  }

  bool operator()(const T& row) const {
    for (const auto& [get, matcher] : conditions_) {
      if (!matcher.Matches(get(row))) return false;
    }
    if (search_.empty()) return true;
    return std::ranges::any_of(searched_, [&](Get get) { return CellContains(get(row), search_); });
  }

 private:
  using Get = Cell (*)(const T& row);
  std::string_view search_;
  std::vector<std::pair<Get, Matcher>> conditions_;
  std::vector<Get> searched_;
};

template <class T>
std::vector<const T*> Pointers(const std::vector<T>& rows) {
  std::vector<const T*> pointers;
  pointers.reserve(rows.size());
  for (const T& row : rows) pointers.push_back(&row);
  return pointers;
}

// What rows are sorted by. Texts that had to be made are kept here, the others are borrowed.
class SortKeys {
 public:
  void Add(Cell cell);
  // Puts the wanted page in place: key i then names the row that stands at place i of the sorted
  // list, for every i below offset + limit. Equal rows keep their order; descending is the exact
  // reverse of ascending.
  void Order(const ListQuery& query);
  std::size_t RowAt(std::size_t place) const { return keys_[place].row; }

 private:
  // Two keys are nearly always told apart by their heads, without a look at the row's memory.
  struct Key {
    std::uint32_t kind;  // cells of different kinds order by kind
    std::uint32_t row;
    std::array<std::uint64_t, 2> head;  // orders like the number, or the text's first 16 bytes
    std::string_view text;
  };
  std::vector<Key> keys_;
  std::deque<std::string> texts_;
};

// One page in the making: takes the rows one by one, so that a long table is read only once.
template <class T>
class Selection {
 public:
  // The query must outlive it.
  Selection(std::span<const Column<T>> columns, const ListQuery& query)
      : query_(query), filter_(columns, query) {
    if (!query.sort_by.empty()) key_ = FindColumn(columns, query.sort_by)->get;
  }

  // Rows come in the list's own order. Keeps a row that matches: it must then stay where it is.
  bool Offer(const T& row) {
    if (!filter_(row)) return false;
    kept_.push_back(&row);
    if (key_ != nullptr) keys_.Add(key_(row));
    return true;
  }

  // Sorts and cuts out the page; call it once.
  Page<T> Cut() {
    Page<T> page;
    page.total = kept_.size();
    std::size_t begin = std::min(query_.offset, kept_.size());
    std::size_t end = std::min(begin + query_.limit, kept_.size());
    if (end < kept_.size()) page.next = end;
    if (key_ != nullptr) keys_.Order(query_);
    for (std::size_t i = begin; i < end; ++i) {
      page.rows.push_back(kept_[key_ == nullptr ? i : keys_.RowAt(i)]);
    }
    return page;
  }

 private:
  const ListQuery& query_;
  RowFilter<T> filter_;
  Cell (*key_)(const T& row) = nullptr;
  std::vector<const T*> kept_;
  SortKeys keys_;
};

// The same for rows that are at hand.
template <class T>
Page<T> Select(const std::vector<const T*>& rows, std::span<const Column<T>> columns,
               const ListQuery& query) {
  Selection<T> selection(columns, query);
  for (const T* row : rows) selection.Offer(*row);
  return selection.Cut();
}

}  // namespace yard::serve
