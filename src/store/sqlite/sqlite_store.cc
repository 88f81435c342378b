#include "store/sqlite/sqlite_store.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "store/sqlite/commit_writer.h"
#include "store/sqlite/directory_lock.h"
#include "store/sqlite/journal_reader.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_db.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

std::string DatabasePath(const std::string& directory) {
  return directory + "/gpuyard.db";
}

class SqliteStore final : public Store {
 public:
  SqliteStore(DirectoryLock lock, std::string path)
      : lock_(std::move(lock)), path_(std::move(path)) {}

  Status Open();

  Status Load(const std::function<Status(Object)>& take) override;
  Result<std::int64_t> Commit(std::span<const Entry> entries) override;
  Result<JournalPage> ReadJournal(const JournalQuery& query) override;
  Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId workload, std::size_t offset,
                                                std::size_t limit) override;
  Status Prune(Time before) override;
  Status Backup(const std::string& path) override;
  std::int64_t last_sequence() const override { return last_sequence_.load(); }

 private:
  const DirectoryLock lock_;
  const std::string path_;
  std::atomic<std::int64_t> last_sequence_ = 0;

  // Reactor thread.
  std::optional<Database> database_;
  std::optional<CommitWriter> writer_;

  std::mutex read_mutex_;
  std::optional<Database> reader_;  // guarded by read_mutex_
};

Status SqliteStore::Open() {
  YARD_ASSIGN(database_, Database::Open(path_, OpenMode::kCreate));
  YARD_TRY(database_->Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL"));
  YARD_TRY(Migrate(*database_));
  YARD_ASSIGN(auto last, database_->QueryInt("SELECT max(sequence) FROM journal"));
  last_sequence_ = last.value_or(0);
  YARD_ASSIGN(writer_, CommitWriter::Prepare(*database_));
  YARD_ASSIGN(reader_, Database::Open(path_, OpenMode::kExisting));
  return {};
}

Status SqliteStore::Load(const std::function<Status(Object)>& take) {
  YARD_ASSIGN(Statement rows, database_->Prepare("SELECT kind, body FROM object"));
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return {};
    YARD_ASSIGN(Object object, wire::DecodeStored(rows.Text(0), rows.Text(1)));
    YARD_TRY(take(std::move(object)));
  }
}

Result<std::int64_t> SqliteStore::Commit(std::span<const Entry> entries) {
  std::int64_t sequence = last_sequence_;
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  for (const Entry& entry : entries) YARD_TRY(writer_->Write(entry, sequence));
  YARD_TRY(transaction.Commit());
  last_sequence_ = sequence;
  return sequence;
}

Result<JournalPage> SqliteStore::ReadJournal(const JournalQuery& query) {
  std::lock_guard guard(read_mutex_);
  YARD_ASSIGN(Transaction view, Transaction::Begin(*reader_, Transaction::Kind::kRead));
  return ReadJournalPage(*reader_, query);
}

Result<std::vector<WorkloadEvent>> SqliteStore::ReadEvents(WorkloadId workload, std::size_t offset,
                                                           std::size_t limit) {
  std::lock_guard guard(read_mutex_);
  return ReadEventPage(*reader_, {.workload = workload, .offset = offset, .limit = limit});
}

Status SqliteStore::Prune(Time) {
  return Fail(Code::kUnsupported, "pruning is not available yet");
}

Status SqliteStore::Backup(const std::string&) {
  return Fail(Code::kUnsupported, "backups are not available yet");
}

}  // namespace

Result<std::unique_ptr<Store>> OpenSqlite(const std::string& directory) {
  YARD_ASSIGN(DirectoryLock lock, DirectoryLock::Acquire(directory));
  auto store = std::make_unique<SqliteStore>(std::move(lock), DatabasePath(directory));
  YARD_TRY(store->Open());
  return store;
}

Status RestoreSqlite(const std::string&, const std::string&) {
  return Fail(Code::kUnsupported, "restoring is not available yet");
}

}  // namespace yard::store
