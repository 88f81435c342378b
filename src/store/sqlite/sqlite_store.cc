#include "store/sqlite/sqlite_store.h"

#include <atomic>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/archive_reader.h"
#include "store/sqlite/archive_writer.h"
#include "store/sqlite/backup.h"
#include "store/sqlite/checkpointer.h"
#include "store/sqlite/commit_writer.h"
#include "store/sqlite/directory_lock.h"
#include "store/sqlite/entity_key.h"
#include "store/sqlite/journal_reader.h"
#include "store/sqlite/reader_pool.h"
#include "store/sqlite/retention.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_db.h"
#include "wire/stored.h"

namespace yard::store {
namespace {

// A log file that is kept is overwritten, which is faster than growing it anew.
constexpr int kKeptLogBytes = 64 << 20;

std::string DatabasePath(const std::string& directory) {
  return directory + "/gpuyard.db";
}

class SqliteStore final : public Store {
 public:
  SqliteStore(DirectoryLock lock, std::string path, const SqliteOptions& options)
      : lock_(std::move(lock)), path_(std::move(path)), options_(options), readers_(path_) {}

  Status Open();

  Status Load(const std::function<Status(Object)>& take) override;
  Result<std::int64_t> Commit(std::span<const Entry> entries) override;
  Result<JournalPage> ReadJournal(const JournalQuery& query) override;
  Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId workload, std::size_t offset,
                                                std::size_t limit) override;
  Result<Pruned> Prune(Time before) override;
  Status Backup(const std::string& path) override;
  std::int64_t last_sequence() const override { return last_sequence_.load(); }

  bool archives() const override { return true; }
  Status MoveToArchive(std::span<const ArchiveItem> items) override;
  Result<std::vector<ArchivedWorkload>> ReadArchived(std::span<const WorkloadId> ids) override;
  Result<std::optional<WorkloadId>> FindArchived(ProjectId project, std::string_view name) override;
  Result<ArchivePage> ReadArchive(const ArchiveQuery& query) override;
  Status EachArchived(const ArchiveFilter& filter,
                      const std::function<Status(const ArchivedWorkload&)>& visit) override;
  Result<std::vector<ArchiveCount>> CountArchive() override;
  Result<std::map<ProjectId, std::int64_t>> SizeArchive() override;
  Result<std::vector<ArchiveUsage>> SumArchive(const ArchiveFilter& filter) override;
  Result<bool> HasAttempt(AttemptId id) override;

 private:
  Status OpenWriter();
  Result<std::int64_t> TryCommit(std::span<const Entry> entries);
  Status TryArchive(std::span<const ArchiveItem> items);
  // If not even the rollback worked, the next commit starts on a fresh connection.
  void DropIfStuck();
  void AfterCommit();

  const DirectoryLock lock_;
  const std::string path_;
  const SqliteOptions options_;
  std::atomic<std::int64_t> last_sequence_ = 0;
  ReaderPool readers_;

  // Reactor thread. All three are absent after a failure that the connection did not survive.
  std::optional<Database> database_;
  std::optional<CommitWriter> writer_;
  std::optional<ArchiveWriter> archive_;
  int log_pages_ = 0;  // length of the write-ahead log after the last commit

  std::optional<Checkpointer> checkpointer_;
};

// Names the row, so that it can be found, and what to do.
Error DamagedRow(const Statement& row, Error error) {
  error.message = fmt::format("a row of the table 'object' cannot be read (kind '{}', id '{}'): {}",
                              row.Text(0), EntityKey::Read(row, 2), error.message);
  if (error.code == Code::kUnsupported) return error;
  error.code = Code::kInternal;
  error.details =
      "the database is damaged: restore the newest backup into a new data directory with "
      "gpuyard restore";
  return error;
}

int RememberLogPages(void* pages, sqlite3*, const char*, int count) {
  *static_cast<int*>(pages) = count;
  return SQLITE_OK;
}

Status SqliteStore::Open() {
  YARD_TRY(OpenWriter());
  YARD_ASSIGN(auto last, database_->QueryInt("SELECT max(sequence) FROM journal"));
  last_sequence_ = last.value_or(0);
  YARD_ASSIGN(Database background, Database::Open(path_, OpenMode::kExisting));
  YARD_TRY(background.Execute("PRAGMA synchronous=FULL"));
  checkpointer_.emplace(std::move(background));
  return {};
}

// What durability rests on: with WAL and synchronous=FULL, a COMMIT returns after the log file
// was synced (fdatasync); a checkpoint syncs the log before it copies pages, and the database
// file before the log may start again. The directory is synced when the log file is made.
Status SqliteStore::OpenWriter() {
  YARD_ASSIGN(Database database, Database::Open(path_, OpenMode::kCreate));
  YARD_TRY(
      database.Execute(fmt::format("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                                   "PRAGMA cache_size=-65536; PRAGMA journal_size_limit={}",
                                   kKeptLogBytes)));
  YARD_TRY(Migrate(database));
  if (options_.max_pages) {
    YARD_TRY(database.Execute(fmt::format("PRAGMA max_page_count={}", *options_.max_pages)));
  }
  // Also turns off SQLite's own checkpoints, which would make some commits slow.
  sqlite3_wal_hook(database.handle(), &RememberLogPages, &log_pages_);
  database_ = std::move(database);
  YARD_ASSIGN(archive_, ArchiveWriter::Prepare(*database_));
  YARD_ASSIGN(writer_, CommitWriter::Prepare(*database_));
  return {};
}

Status SqliteStore::Load(const std::function<Status(Object)>& take) {
  YARD_ASSIGN(Statement rows, database_->Prepare("SELECT kind, body, id FROM object NOT INDEXED"));
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more) return {};
    Result<Object> object = wire::DecodeStored(rows.Text(0), rows.Text(1));
    if (!object) return Fail(DamagedRow(rows, object.error()));
    YARD_TRY(take(*std::move(object)));
  }
}

Result<std::int64_t> SqliteStore::Commit(std::span<const Entry> entries) {
  if (!writer_) YARD_TRY(OpenWriter());
  Result<std::int64_t> committed = TryCommit(entries);
  if (committed) {
    last_sequence_ = *committed;
    AfterCommit();
  } else {
    DropIfStuck();
  }
  return committed;
}

void SqliteStore::DropIfStuck() {
  if (!database_->in_transaction()) return;
  writer_.reset();
  archive_.reset();
  database_.reset();
}

Result<std::int64_t> SqliteStore::TryCommit(std::span<const Entry> entries) {
  std::int64_t sequence = last_sequence_;
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  for (const Entry& entry : entries) {
    for (WorkloadId id : entry.recalled) YARD_TRY(archive_->Recall(id));
    YARD_TRY(writer_->Write(entry, sequence));
  }
  YARD_TRY(transaction.Commit());
  return sequence;
}

void SqliteStore::AfterCommit() {
  if (log_pages_ >= kBackgroundPages) checkpointer_->Wake();
  // The commit stands whatever comes of this; the background thread tells of failures.
  if (log_pages_ >= kInlinePages) (void)CheckpointPassively(*database_);
}

Result<JournalPage> SqliteStore::ReadJournal(const JournalQuery& query) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return ReadJournalPage(lease.database(), query);
}

Result<std::vector<WorkloadEvent>> SqliteStore::ReadEvents(WorkloadId workload, std::size_t offset,
                                                           std::size_t limit) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return ReadEventPage(lease.database(), {.workload = workload, .offset = offset, .limit = limit});
}

Result<Pruned> SqliteStore::Prune(Time before) {
  if (!writer_) YARD_TRY(OpenWriter());
  YARD_ASSIGN(Pruned pruned, PruneHistory(*database_, before));
  AfterCommit();
  return pruned;
}

Status SqliteStore::MoveToArchive(std::span<const ArchiveItem> items) {
  if (!writer_) YARD_TRY(OpenWriter());
  Status moved = TryArchive(items);
  if (moved) {
    AfterCommit();
  } else {
    DropIfStuck();
  }
  return moved;
}

Status SqliteStore::TryArchive(std::span<const ArchiveItem> items) {
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(*database_, Transaction::Kind::kWrite));
  for (const ArchiveItem& item : items) YARD_TRY(archive_->Put(item));
  return transaction.Commit();
}

Result<std::vector<ArchivedWorkload>> SqliteStore::ReadArchived(std::span<const WorkloadId> ids) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return store::ReadArchived(lease.database(), ids);
}

Result<std::optional<WorkloadId>> SqliteStore::FindArchived(ProjectId project,
                                                            std::string_view name) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return FindByName(lease.database(), project, name);
}

Result<ArchivePage> SqliteStore::ReadArchive(const ArchiveQuery& query) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return ReadArchivePage(lease.database(), query);
}

Status SqliteStore::EachArchived(const ArchiveFilter& filter,
                                 const std::function<Status(const ArchivedWorkload&)>& visit) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return store::EachArchived(lease.database(), filter, visit);
}

Result<std::vector<ArchiveCount>> SqliteStore::CountArchive() {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return store::CountArchive(lease.database());
}

Result<std::map<ProjectId, std::int64_t>> SqliteStore::SizeArchive() {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return store::SizeArchive(lease.database());
}

Result<std::vector<ArchiveUsage>> SqliteStore::SumArchive(const ArchiveFilter& filter) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return store::SumArchive(lease.database(), filter);
}

Result<bool> SqliteStore::HasAttempt(AttemptId id) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return store::HasAttempt(lease.database(), id);
}

Status SqliteStore::Backup(const std::string& path) {
  YARD_ASSIGN(ReaderPool::Lease lease, readers_.Take());
  return WriteBackup(lease.database(), path);
}

}  // namespace

Result<std::unique_ptr<Store>> OpenSqlite(const std::string& directory,
                                          const SqliteOptions& options) {
  YARD_ASSIGN(DirectoryLock lock, DirectoryLock::Acquire(directory));
  auto store = std::make_unique<SqliteStore>(std::move(lock), DatabasePath(directory), options);
  YARD_TRY(store->Open());
  return store;
}

Status RestoreSqlite(const std::string& backup_path, const std::string& directory) {
  YARD_ASSIGN(DirectoryLock lock, DirectoryLock::Acquire(directory));
  std::string path = DatabasePath(directory);
  if (std::filesystem::exists(path)) {
    return Fail(
        Code::kConflict, fmt::format("{} exists already", path),
        "restore into an empty data directory, or move that file (and gpuyard.db-wal) away");
  }
  return InstallBackup(backup_path, path);
}

}  // namespace yard::store
