// Lists the way Run:ai's clients ask for them: filterBy, search, sortBy, sortOrder, offset, limit.
//
// A resource describes its columns once; filtering, sorting, searching and paging follow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace yard::api {

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

// Whether a cell meets a condition. Texts compare without regard to case for contains, starts
// and ends; numbers and times compare by value.
bool Matches(const Condition& condition, const Cell& cell);
// -1, 0 or 1; cells of different kinds order by kind.
int CompareCells(const Cell& a, const Cell& b);
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

template <class T>
bool RowMatches(const T& row, std::span<const Column<T>> columns, const ListQuery& query) {
  for (const Condition& condition : query.filter) {
    if (!Matches(condition, FindColumn(columns, condition.field)->get(row))) return false;
  }
  if (query.search.empty()) return true;
  for (const Column<T>& column : columns) {
    if (column.searchable && CellContains(column.get(row), query.search)) return true;
  }
  return false;
}

template <class T>
std::vector<const T*> Pointers(const std::vector<T>& rows) {
  std::vector<const T*> pointers;
  pointers.reserve(rows.size());
  for (const T& row : rows) pointers.push_back(&row);
  return pointers;
}

// Orders `rows` so that the wanted page is in place; equal rows keep their order.
void OrderByCells(std::vector<std::pair<Cell, std::uint32_t>>& keys, const ListQuery& query);

// Filters, sorts and cuts out one page. `rows` are in the list's own order.
template <class T>
Page<T> Select(const std::vector<const T*>& rows, std::span<const Column<T>> columns,
               const ListQuery& query) {
  std::vector<const T*> kept;
  for (const T* row : rows) {
    if (RowMatches(*row, columns, query)) kept.push_back(row);
  }
  Page<T> page;
  page.total = kept.size();
  std::size_t begin = std::min(query.offset, kept.size());
  std::size_t end = std::min(begin + query.limit, kept.size());
  if (end < kept.size()) page.next = end;
  if (query.sort_by.empty()) {
    page.rows.assign(kept.begin() + static_cast<std::ptrdiff_t>(begin),
                     kept.begin() + static_cast<std::ptrdiff_t>(end));
    return page;
  }
  const Column<T>* column = FindColumn(columns, query.sort_by);
  std::vector<std::pair<Cell, std::uint32_t>> keys;
  keys.reserve(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    keys.emplace_back(column->get(*kept[i]), static_cast<std::uint32_t>(i));
  }
  OrderByCells(keys, query);
  for (std::size_t i = begin; i < end; ++i) page.rows.push_back(kept[keys[i].second]);
  return page;
}

}  // namespace yard::api
