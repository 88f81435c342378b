// Brings the tables of an SQLite file up to date.
//
// PRAGMA user_version counts the steps a file has taken; PRAGMA application_id marks it as ours. A
// step is never edited once released: a change of the tables is a new step.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

struct Schema {
  std::string_view file;  // for messages: "series.db"
  std::int64_t application_id = 0;
  std::span<const char* const> steps;

  // The version this program writes.
  std::int64_t version() const { return static_cast<std::int64_t>(steps.size()); }
};

// Takes the missing steps, all in one transaction. A file of another program is refused with
// kInvalid, a newer version with kUnsupported.
Status Migrate(Database& database, const Schema& schema);

}  // namespace yard::store
