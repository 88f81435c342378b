#include "store/sqlite/schema.h"

#include <array>

#include "store/sqlite/migrations.h"

namespace yard::store {
namespace {

// Ids that are UUIDs are stored as 16 bytes, other ids as text (see entity_key.h).
//
// `journal` is kept narrow, so that it is cheap to append to and quick to walk; what nobody
// filters by is packed into `detail` (see packed_text.h). The replaced versions lie in `undo`; a
// creation has none. `verb` is 0 for a note, else 1 + store::Verb.
constexpr const char* kFirstTables = R"sql(
CREATE TABLE object(
  kind TEXT NOT NULL, id NOT NULL, body TEXT NOT NULL, PRIMARY KEY(kind, id));
CREATE TABLE journal(
  sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, verb INTEGER NOT NULL,
  status INTEGER NOT NULL, action TEXT NOT NULL, entity_type TEXT NOT NULL, entity_id NOT NULL,
  subject TEXT NOT NULL, detail TEXT NOT NULL);
CREATE TABLE undo(sequence INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE event(
  sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, workload BLOB NOT NULL, id BLOB NOT NULL,
  type TEXT NOT NULL, reason TEXT NOT NULL, message TEXT NOT NULL, source TEXT NOT NULL);
CREATE INDEX event_workload ON event(workload);
)sql";

constexpr const char* kJournalIndexes = R"sql(
CREATE INDEX journal_at ON journal(at);
CREATE INDEX journal_entity ON journal(entity_type, entity_id);
)sql";

// People read the journal by time and without the server's bookkeeping: an index of those rows
// alone is smaller, and counts them without reading the table.
constexpr const char* kPeopleIndex = R"sql(
DROP INDEX journal_at;
CREATE INDEX journal_people ON journal(at)
  WHERE entity_type NOT IN ('attempt', 'counter', 'idempotent-reply');
)sql";

// For a list of names SQLite makes a table anew with every row that is written; for comparisons it
// does not.
constexpr const char* kPlainPeopleIndex = R"sql(
DROP INDEX journal_people;
CREATE INDEX journal_people ON journal(at)
  WHERE entity_type<>'attempt' AND entity_type<>'counter' AND entity_type<>'idempotent-reply'
    AND entity_type<>'notification-delivery';
)sql";

// The same without sessions. The condition is kForPeopleSql.
constexpr const char* kNoSessionsIndex = R"sql(
DROP INDEX journal_people;
CREATE INDEX journal_people ON journal(at)
  WHERE entity_type<>'attempt' AND entity_type<>'counter' AND entity_type<>'idempotent-reply'
    AND entity_type<>'notification-delivery' AND entity_type<>'session';
)sql";

constexpr std::array kSteps{kFirstTables, kJournalIndexes, kPeopleIndex, kPlainPeopleIndex,
                            kNoSessionsIndex};

constexpr Schema kSchema{.file = "gpuyard.db", .application_id = kApplicationId, .steps = kSteps};

}  // namespace

std::int64_t SchemaVersion() {
  return kSchema.version();
}

Status Migrate(Database& database) {
  return Migrate(database, kSchema);
}

}  // namespace yard::store
