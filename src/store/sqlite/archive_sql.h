// Questions about the archive as SQL: a condition with the values it is bound to.
//
// Pure. One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/archive.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

// A part of a statement with one value for each of its question marks, in order.
struct Sql {
  std::string text;
  std::vector<ArchiveValue> values;

  Sql& Add(std::string_view more) {
    text += more;
    return *this;
  }
  Sql& Add(const Sql& more);
  // The values must outlive the statement's run.
  void BindTo(Statement& statement) const;
};

std::string_view ColumnOf(ArchiveField field);
// The index that holds the rows in the order of the field; empty: none does.
std::string_view IndexOf(ArchiveField field);

// How parts of names are found: by the index of their letters, which reads all that match at once,
// or row by row.
enum class Names { kByLetters, kByRow };

// "1 AND …", over the columns of `archive`.
Sql ConditionOf(const ArchiveFilter& filter, Names names = Names::kByRow);

// What `archive_words` is asked for the names that hold a part; nothing: it cannot tell.
std::optional<std::string> LettersOf(const ArchiveTerm& term);

// The days (UTC) that a span covers from beginning to end; none of them if it is short.
struct WholeDays {
  std::int64_t first = 0;
  std::int64_t past_last = 0;
};
WholeDays WholeDaysOf(const ArchiveFilter::Span& span);
// The projects that a filter gives, as " AND …".
Sql ScopeOf(const ArchiveFilter& filter);

// The same over the columns of `archive_count`: what it can tell of the filter.
struct CountCondition {
  Sql sql;
  bool exact = true;  // false: more rows may be counted than match
};
CountCondition CountConditionOf(const ArchiveFilter& filter);

}  // namespace yard::store
