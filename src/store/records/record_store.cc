#include "store/records/record_store.h"

#include <array>
#include <utility>

#include "store/sqlite/backup.h"
#include "store/sqlite/directory_lock.h"
#include "store/sqlite/migrations.h"
#include "store/sqlite/reader_pool.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {
namespace {

constexpr std::int64_t kApplicationId = 0x67795265;  // "gyRe"

constexpr const char* kTables = R"sql(
CREATE TABLE record(
  kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY(kind, id));
)sql";

constexpr std::array kSteps{kTables};
constexpr Schema kSchema{.file = "records.db", .application_id = kApplicationId, .steps = kSteps};

class DirectoryRecords final : public RecordStore {
 public:
  DirectoryRecords(DirectoryLock lock, std::string path)
      : lock_(std::move(lock)), path_(std::move(path)), readers_(path_) {}

  Status Open();
  Status Load(const Visit& visit) override;
  Status Write(std::span<const RecordChange> changes) override;
  Status Backup(const std::string& path) override;

 private:
  Status WriteRows(std::span<const RecordChange> changes);

  const DirectoryLock lock_;
  const std::string path_;
  ReaderPool readers_;
  std::optional<Database> database_;
  std::optional<Statement> put_;
  std::optional<Statement> remove_;
};

Status DirectoryRecords::Open() {
  YARD_ASSIGN(Database database, Database::Open(path_, OpenMode::kCreate));
  YARD_TRY(
      database.Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                       "PRAGMA journal_size_limit=67108864"));
  YARD_TRY(Migrate(database, kSchema));
  database_.emplace(std::move(database));
  YARD_ASSIGN(put_, database_->Prepare("INSERT INTO record VALUES(?,?,?) "
                                       "ON CONFLICT DO UPDATE SET body=excluded.body"));
  YARD_ASSIGN(remove_, database_->Prepare("DELETE FROM record WHERE kind=? AND id=?"));
  return {};
}

Status DirectoryRecords::Load(const Visit& visit) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  YARD_ASSIGN(Statement rows,
              lease.database().Prepare("SELECT kind, id, body FROM record ORDER BY kind, id"));
  while (true) {
    YARD_ASSIGN(bool row, rows.Step());
    if (!row) return {};
    YARD_TRY(visit(rows.Text(0), rows.Text(1), rows.Text(2)));
  }
}

Status DirectoryRecords::WriteRows(std::span<const RecordChange> changes) {
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  for (const RecordChange& change : changes) {
    Statement& statement = change.body ? *put_ : *remove_;
    statement.Bind(change.kind).Bind(change.id);
    if (change.body) statement.Bind(*change.body);
    YARD_TRY(statement.Run());
  }
  return transaction.Commit();
}

Status DirectoryRecords::Write(std::span<const RecordChange> changes) {
  Status written = WriteRows(changes);
  if (!written) {
    written.error().message = "tracked records were not stored: " + written.error().message;
  }
  return written;
}

Status DirectoryRecords::Backup(const std::string& path) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return WriteBackup(lease.database(), path);
}

}  // namespace

Result<std::unique_ptr<RecordStore>> OpenRecords(const std::string& directory) {
  YARD_ASSIGN(DirectoryLock lock, DirectoryLock::Acquire(directory));
  auto store = std::make_unique<DirectoryRecords>(std::move(lock), directory + "/records.db");
  YARD_TRY(store->Open());
  return store;
}

}  // namespace yard::store
