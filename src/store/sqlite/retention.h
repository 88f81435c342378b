// Forgets old journal rows and events, a bounded number a transaction.
//
// Only the oldest rows in commit order go, so that what remains can still tell every "after".
// The newest journal row always stays: it carries the last sequence number. One thread.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

inline constexpr int kPruneRows = 10'000;

Status PruneHistory(Database& database, Time before);

}  // namespace yard::store
