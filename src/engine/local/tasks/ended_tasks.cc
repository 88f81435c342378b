#include "engine/local/tasks/ended_tasks.h"

#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/mutex.h"
#include "store/sqlite/packed_text.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::engine {
namespace {

using store::Database;
using store::OpenMode;
using store::Statement;
using store::Transaction;

constexpr const char* kFileName = "/ended.db";
// More than the files of a task can be: protects against a damaged row.
constexpr std::int64_t kMostBytes = 16 << 20;
// A table with row numbers: in one without, a row of more than a quarter of a page takes a second.
constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS ended (
  number INTEGER PRIMARY KEY,
  attempt BLOB NOT NULL,
  rank INTEGER NOT NULL,
  state TEXT NOT NULL,
  size INTEGER NOT NULL,
  files BLOB NOT NULL,
  UNIQUE (attempt, rank)
);
)";

std::string_view BytesOf(const AttemptId& id) {
  return {reinterpret_cast<const char*>(id.value.bytes.data()), id.value.bytes.size()};
}

std::unexpected<Error> Damaged() {
  return Fail(Code::kInternal, "the record of an ended task is damaged");
}

std::string Deflated(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string packed(size, '\0');
  YARD_CHECK(compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                       reinterpret_cast<const Bytef*>(text.data()), text.size(),
                       Z_DEFAULT_COMPRESSION) == Z_OK);
  packed.resize(size);
  return packed;
}

Result<std::string> Inflated(std::string_view packed, std::int64_t size) {
  if (size < 0 || size > kMostBytes) return Damaged();
  std::string text(static_cast<std::size_t>(size), '\0');
  uLongf got = text.size();
  const int done = uncompress(reinterpret_cast<Bytef*>(text.data()), &got,
                              reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (done != Z_OK || got != text.size()) return Damaged();
  return text;
}

std::string Join(const EndedFiles& files) {
  std::string text;
  store::AppendPacked(text, files.spec);
  store::AppendPacked(text, files.log);
  store::AppendPacked(text, files.log_times);
  return text;
}

// The columns must be: state, size, files, from `column` on.
Result<EndedFiles> FilesOf(const Statement& row, int column) {
  EndedFiles files{.state = std::string(row.Text(column))};
  YARD_ASSIGN(const std::string text, Inflated(row.Text(column + 2), row.Int(column + 1)));
  std::string_view rest = text;
  for (std::string* file : {&files.spec, &files.log, &files.log_times}) {
    const std::optional<std::string_view> part = store::TakePacked(rest);
    if (!part) return Damaged();
    *file = *part;
  }
  return files;
}

// The columns must be: attempt, rank, from `column` on.
Result<TaskKey> KeyOf(const Statement& row, int column) {
  TaskKey key;
  const std::string_view id = row.Text(column);
  if (id.size() != key.attempt.value.bytes.size()) return Damaged();
  std::memcpy(key.attempt.value.bytes.data(), id.data(), id.size());
  key.rank = static_cast<std::int32_t>(row.Int(column + 1));
  return key;
}

// One connection with what it was asked before. One thread at a time.
struct Reader {
  Database database;
  Statement state;
  Statement find;
};

Result<Reader> OpenReader(const std::string& path, OpenMode mode) {
  YARD_ASSIGN(Database database, Database::Open(path, mode));
  YARD_ASSIGN(Statement state,
              database.Prepare("SELECT state FROM ended WHERE attempt = ? AND rank = ?"));
  YARD_ASSIGN(Statement find, database.Prepare("SELECT state, size, files FROM ended "
                                               "WHERE attempt = ? AND rank = ?"));
  return Reader{std::move(database), std::move(state), std::move(find)};
}

// Readers do not wait for a batch that is being written.
class Table final : public EndedTasks {
 public:
  Table(std::optional<Database> writer, Reader reader)
      : writer_(std::move(writer)), reader_(std::move(reader)) {}

  Status Add(std::span<const EndedTask> tasks) override;
  Status Remove(const TaskKey& key) override;
  Result<bool> Has(const TaskKey& key) override;
  Result<std::optional<std::string>> FindState(const TaskKey& key) override;
  Result<std::optional<EndedTask>> Find(const TaskKey& key) override;
  Status EachState(const std::function<void(const TaskKey&, std::string_view)>& take) override;
  Status Each(const std::function<Status(const EndedTask&)>& take) override;

 private:
  Mutex writing_;
  std::optional<Database> writer_ YARD_GUARDED_BY(writing_);
  Mutex reading_;
  Reader reader_ YARD_GUARDED_BY(reading_);
};

Status Table::Add(std::span<const EndedTask> tasks) {
  MutexLock hold(writing_);
  YARD_TRY(writer_->Execute("PRAGMA synchronous = FULL"));
  YARD_ASSIGN(Transaction all, Transaction::Begin(*writer_, Transaction::Kind::kWrite));
  {
    YARD_ASSIGN(Statement insert,
                writer_->Prepare("INSERT OR IGNORE INTO ended (attempt, rank, state, size, files) "
                                 "VALUES (?, ?, ?, ?, ?)"));
    for (const EndedTask& task : tasks) {
      const std::string text = Join(task.files);
      const std::string packed = Deflated(text);
      YARD_TRY(insert.BindBlob(BytesOf(task.key.attempt))
                   .Bind(std::int64_t{task.key.rank})
                   .Bind(std::string_view(task.files.state))
                   .Bind(static_cast<std::int64_t>(text.size()))
                   .BindBlob(packed)
                   .Run());
    }
  }
  return all.Commit();
}

// A row that comes back after a power failure is asked about at the next start.
Status Table::Remove(const TaskKey& key) {
  MutexLock hold(writing_);
  YARD_TRY(writer_->Execute("PRAGMA synchronous = NORMAL"));
  YARD_ASSIGN(Statement remove,
              writer_->Prepare("DELETE FROM ended WHERE attempt = ? AND rank = ?"));
  return remove.BindBlob(BytesOf(key.attempt)).Bind(std::int64_t{key.rank}).Run();
}

Result<bool> Table::Has(const TaskKey& key) {
  YARD_ASSIGN(const std::optional<std::string> state, FindState(key));
  return state.has_value();
}

Result<std::optional<std::string>> Table::FindState(const TaskKey& key) {
  MutexLock hold(reading_);
  reader_.state.BindBlob(BytesOf(key.attempt)).Bind(std::int64_t{key.rank});
  YARD_ASSIGN(const bool found, reader_.state.Step());
  if (!found) return std::nullopt;
  std::string state(reader_.state.Text(0));
  reader_.state.Reset();
  return state;
}

Result<std::optional<EndedTask>> Table::Find(const TaskKey& key) {
  MutexLock hold(reading_);
  reader_.find.BindBlob(BytesOf(key.attempt)).Bind(std::int64_t{key.rank});
  YARD_ASSIGN(const bool found, reader_.find.Step());
  if (!found) return std::nullopt;
  Result<EndedFiles> files = FilesOf(reader_.find, 0);
  reader_.find.Reset();
  if (!files) return Fail(files.error());
  return EndedTask{key, *std::move(files)};
}

Status Table::EachState(const std::function<void(const TaskKey&, std::string_view)>& take) {
  MutexLock hold(reading_);
  YARD_ASSIGN(Statement rows,
              reader_.database.Prepare("SELECT attempt, rank, state FROM ended ORDER BY number"));
  for (;;) {
    YARD_ASSIGN(const bool more, rows.Step());
    if (!more) return {};
    YARD_ASSIGN(const TaskKey key, KeyOf(rows, 0));
    take(key, rows.Text(2));
  }
}

Status Table::Each(const std::function<Status(const EndedTask&)>& take) {
  MutexLock hold(reading_);
  YARD_ASSIGN(Statement rows,
              reader_.database.Prepare("SELECT attempt, rank, state, size, files FROM ended"));
  for (;;) {
    YARD_ASSIGN(const bool more, rows.Step());
    if (!more) return {};
    YARD_ASSIGN(const TaskKey key, KeyOf(rows, 0));
    YARD_ASSIGN(EndedFiles files, FilesOf(rows, 2));
    YARD_TRY(take({key, std::move(files)}));
  }
}

}  // namespace

Result<std::unique_ptr<EndedTasks>> OpenEndedTasks(const std::string& root, EndedMode mode) {
  const std::string path = root + kFileName;
  if (mode == EndedMode::kRead) {
    if (::access(path.c_str(), F_OK) != 0) return nullptr;
    YARD_ASSIGN(Reader reader, OpenReader(path, OpenMode::kExisting));
    return std::make_unique<Table>(std::nullopt, std::move(reader));
  }
  YARD_ASSIGN(Database writer, Database::Open(path, OpenMode::kCreate));
  // Rows hold what work has printed and its secrets: a deleted one leaves none of it.
  YARD_TRY(writer.Execute("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON;"));
  YARD_TRY(writer.Execute(kTables));
  YARD_ASSIGN(Reader reader, OpenReader(path, OpenMode::kReadOnly));
  return std::make_unique<Table>(std::move(writer), std::move(reader));
}

}  // namespace yard::engine
