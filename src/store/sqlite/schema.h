// The tables, and the steps that bring an older database up to date.
//
// PRAGMA user_version counts the steps a database has taken; PRAGMA application_id marks it as
// ours. A step is never edited once released: a change of the tables is a new step.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

inline constexpr std::int64_t kApplicationId = 0x59617264;  // "Yard"

// The condition of the index journal_people, as a query must repeat it to use the index. It names
// the kinds of model/object.h's IsBookkeeping.
inline constexpr std::string_view kForPeopleSql =
    "entity_type<>'attempt' AND entity_type<>'counter' AND entity_type<>'idempotent-reply' "
    "AND entity_type<>'notification-delivery' AND entity_type<>'session'";

// The version this program writes.
std::int64_t SchemaVersion();

// Takes the missing steps, all in one transaction. A file of another program is refused with
// kInvalid, a newer version with kUnsupported.
Status Migrate(Database& database);

}  // namespace yard::store
