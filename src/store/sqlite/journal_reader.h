// Reads the journal and the events over one connection.
//
// Order: the order of commits; for people and with no entity id, the order of time, which is the
// same unless the clock was set back. The total is exact; that of the whole journal also counts the
// rows of archived attempts, which are gone. An entity, and what people read, is answered from an
// index; the rest walks the journal.
// The caller holds a read transaction, so that a page is one consistent view. One thread.
#pragma once

#include <vector>

#include "base/result.h"
#include "store/sqlite/sqlite_db.h"
#include "store/store.h"

namespace yard::store {

Result<JournalPage> ReadJournalPage(Database& database, const JournalQuery& query);

struct EventQuery {
  WorkloadId workload;
  std::size_t offset = 0;
  std::size_t limit = 100;
};
Result<std::vector<WorkloadEvent>> ReadEventPage(Database& database, const EventQuery& query);

}  // namespace yard::store
