#include "store/sqlite/schema.h"

#include <array>

#include <fmt/format.h>

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

Result<std::int64_t> Pragma(Database& database, std::string_view name) {
  YARD_ASSIGN(auto value, database.QueryInt(fmt::format("PRAGMA {}", name)));
  return value.value_or(0);
}

Status CheckOwner(Database& database, std::int64_t version) {
  YARD_ASSIGN(std::int64_t owner, Pragma(database, "application_id"));
  YARD_ASSIGN(auto tables, database.QueryInt("SELECT count(*) FROM sqlite_schema"));
  bool is_new = owner == 0 && version == 0 && tables == 0;
  if (is_new || owner == kApplicationId) return {};
  return Fail(Code::kInvalid, "the file is an SQLite database of another program",
              "choose another data directory");
}

}  // namespace

std::int64_t SchemaVersion() {
  return static_cast<std::int64_t>(kSteps.size());
}

Status Migrate(Database& database) {
  YARD_ASSIGN(std::int64_t version, Pragma(database, "user_version"));
  YARD_TRY(CheckOwner(database, version));
  if (version == SchemaVersion()) return {};
  if (version > SchemaVersion()) {
    return Fail(Code::kUnsupported,
                fmt::format("the data directory has schema version {}, newer than {}, the newest "
                            "this program knows",
                            version, SchemaVersion()),
                "start the newer program that wrote it, or restore an older backup");
  }
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(database, Transaction::Kind::kWrite));
  for (std::int64_t step = version; step < SchemaVersion(); ++step) {
    YARD_TRY(database.Execute(kSteps[static_cast<std::size_t>(step)]));
  }
  YARD_TRY(database.Execute(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}",
                                        kApplicationId, SchemaVersion())));
  return transaction.Commit();
}

}  // namespace yard::store
