// Forgets old journal rows and events, one transaction of a bounded number at a time, so that
// commits can come in between.
//
// Only the oldest rows in commit order go, so that what remains can still tell every "after".
// The newest journal row always stays: it carries the last sequence number. One thread.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/sqlite/sqlite_db.h"
#include "store/store.h"

namespace yard::store {

inline constexpr int kPruneRows = 1'000;

Result<Pruned> PruneHistory(Database& database, Time before);

}  // namespace yard::store
