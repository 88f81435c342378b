// The tables of the server's database, and the steps that bring an older one up to date
// (see migrations.h).
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

// As store::Migrate for this schema.
Status Migrate(Database& database);

}  // namespace yard::store
