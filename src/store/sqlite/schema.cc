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

// Ended work. `archive` is narrow, so that it is quick to walk: what lists, reports and retention
// ask for. The workload, its attempts, its events and its replaced versions lie packed in
// `archive_body` (see archive_body.h). Every index ends in the id, so that equal rows have an
// order. `archive_count` and `archive_usage`, the sums by the days of the first placing and of the
// last end, are kept with every row that comes and goes. `archive_words` finds parts of names, by
// the row of the body.
constexpr const char* kArchive = R"sql(
CREATE TABLE archive(
  id BLOB PRIMARY KEY, body INTEGER NOT NULL, cluster BLOB NOT NULL, department INTEGER NOT NULL,
  project INTEGER NOT NULL, type TEXT NOT NULL, phase TEXT NOT NULL, name TEXT NOT NULL,
  owner TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER, deleted INTEGER, expires INTEGER,
  held_from INTEGER, held_to INTEGER, pool TEXT, framework TEXT, priority_class TEXT,
  attempts INTEGER NOT NULL, time INTEGER NOT NULL, cpu INTEGER NOT NULL, gpu_held INTEGER NOT NULL,
  gpu_used INTEGER NOT NULL, gpu_idle INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX archive_project_name ON archive(project, name);
CREATE INDEX archive_name ON archive(name);
CREATE INDEX archive_created ON archive(created);
CREATE INDEX archive_ended ON archive(ended);
CREATE INDEX archive_phase ON archive(phase);
CREATE INDEX archive_owner ON archive(owner);
CREATE INDEX archive_expires ON archive(expires) WHERE expires IS NOT NULL;
CREATE INDEX archive_held ON archive(held_to) WHERE held_to IS NOT NULL;
CREATE TABLE archive_body(
  row INTEGER PRIMARY KEY, dictionary INTEGER NOT NULL, size INTEGER NOT NULL,
  packed BLOB NOT NULL);
CREATE TABLE archive_usage(
  first_day INTEGER NOT NULL, last_day INTEGER NOT NULL, project INTEGER NOT NULL,
  department INTEGER NOT NULL, cluster BLOB NOT NULL, type TEXT NOT NULL, owner TEXT NOT NULL,
  workloads INTEGER NOT NULL, attempts INTEGER NOT NULL, time INTEGER NOT NULL,
  cpu INTEGER NOT NULL, gpu_held INTEGER NOT NULL, gpu_used INTEGER NOT NULL,
  gpu_idle INTEGER NOT NULL,
  PRIMARY KEY(first_day, last_day, project, department, cluster, type, owner)) WITHOUT ROWID;
CREATE TABLE archive_attempt(id BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE INDEX archive_body_row ON archive(body);
CREATE VIRTUAL TABLE archive_words USING fts5(name, content='', detail=none, tokenize='trigram');
CREATE TABLE archive_dictionary(number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE archive_count(
  project INTEGER NOT NULL, department INTEGER NOT NULL, cluster BLOB NOT NULL, type TEXT NOT NULL,
  phase TEXT NOT NULL, owner TEXT NOT NULL, deleted INTEGER NOT NULL, workloads INTEGER NOT NULL,
  PRIMARY KEY(project, department, cluster, type, phase, owner, deleted)) WITHOUT ROWID;
)sql";

// How much each project has in the archive, kept with every row that comes and goes. A row goes
// before its body.
constexpr const char* kArchiveSizes = R"sql(
CREATE TABLE archive_size(project INTEGER PRIMARY KEY, bytes INTEGER NOT NULL);
INSERT INTO archive_size SELECT project, sum(length(packed)) FROM archive
  JOIN archive_body ON row=body GROUP BY project;
CREATE TRIGGER archive_grows AFTER INSERT ON archive BEGIN
  INSERT INTO archive_size SELECT new.project, length(packed) FROM archive_body WHERE row=new.body
    ON CONFLICT DO UPDATE SET bytes=bytes+excluded.bytes;
END;
CREATE TRIGGER archive_shrinks AFTER DELETE ON archive BEGIN
  UPDATE archive_size SET bytes=bytes-(SELECT length(packed) FROM archive_body WHERE row=old.body)
    WHERE project=old.project;
END;
)sql";

constexpr std::array kSteps{kFirstTables,     kJournalIndexes, kPeopleIndex, kPlainPeopleIndex,
                            kNoSessionsIndex, kArchive,        kArchiveSizes};

constexpr Schema kSchema{.file = "gpuyard.db", .application_id = kApplicationId, .steps = kSteps};

}  // namespace

std::int64_t SchemaVersion() {
  return kSchema.version();
}

Status Migrate(Database& database) {
  return Migrate(database, kSchema);
}

}  // namespace yard::store
