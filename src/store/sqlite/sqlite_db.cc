#include "store/sqlite/sqlite_db.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

namespace yard::store {
namespace {

constexpr int kBusyTimeoutMillis = 10'000;

std::string FileName(sqlite3* handle) {
  const char* name = handle == nullptr ? nullptr : sqlite3_db_filename(handle, "main");
  return name == nullptr ? "" : name;
}

// The error of the last call that failed on this file, or 0.
int LastErrno(sqlite3_file* file) {
  int error = 0;
  if (file == nullptr || file->pMethods == nullptr) return 0;
  file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}

// What the system said. SQLite's own note of it is lost if it has cleaned up since; the files keep
// theirs, and a commit writes to the log.
int SystemErrorOf(sqlite3* handle) {
  int error = sqlite3_system_errno(handle);
  for (int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
    sqlite3_file* file = nullptr;
    if (error == 0 && sqlite3_file_control(handle, "main", which, &file) == SQLITE_OK) {
      error = LastErrno(file);
    }
  }
  return error;
}

bool IsDiskFull(int code, int system_error) {
  if (code == SQLITE_FULL) return true;
  return code == SQLITE_IOERR && (system_error == ENOSPC || system_error == EDQUOT);
}

bool IsReadOnly(int code, int system_error) {
  return code == SQLITE_READONLY || (code == SQLITE_IOERR && system_error == EROFS);
}

std::string SystemText(int system_error) {
  return system_error == 0 ? "" : fmt::format(" ({})", std::strerror(system_error));
}

// SQLite gives its other files the mode of the database. By name, since closing a descriptor of the
// file would end the locks that this process holds on it.
void MakePrivate(const std::string& path) {
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (made >= 0) {
    ::close(made);
    return;
  }
  for (const char* suffix : {"", "-wal", "-shm"}) ::chmod((path + suffix).c_str(), 0600);
}

int OpenFlags(OpenMode mode) {
  constexpr int kCommon = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case OpenMode::kCreate:
      return kCommon | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case OpenMode::kExisting:
      return kCommon | SQLITE_OPEN_READWRITE;
    case OpenMode::kReadOnly:
      return kCommon | SQLITE_OPEN_READONLY;
  }
  std::unreachable();
}

}  // namespace

Error DescribeFailure(sqlite3* handle) {
  int code = sqlite3_errcode(handle) & 0xff;
  int system_error = code == SQLITE_IOERR ? SystemErrorOf(handle) : sqlite3_system_errno(handle);
  std::string file = FileName(handle);
  if (IsDiskFull(code, system_error)) {
    return {Code::kUnavailable, "the disk of the data directory is full; nothing was stored",
            fmt::format("free some space on the file system of {}, then try again", file)};
  }
  if (IsReadOnly(code, system_error)) {
    return {Code::kUnavailable, "the data directory is read-only; nothing was stored",
            fmt::format("make the file system of {} writable, then try again", file)};
  }
  std::string reason = sqlite3_errmsg(handle);
  switch (code) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {Code::kInternal, fmt::format("the database file {} is damaged: {}", file, reason),
              "move it aside and put the last backup in place with `gpuyard restore`"};
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return {Code::kUnavailable,
              fmt::format("the disk of the data directory fails: {}{}", reason,
                          SystemText(system_error)),
              fmt::format("check the file system and permissions of {}", file)};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Code::kUnavailable, fmt::format("{} is locked by another program", file)};
    default:
      return {Code::kInternal, fmt::format("database error: {}", reason)};
  }
}

Statement::Statement(Statement&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), bound_(std::exchange(other.bound_, 0)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(bound_, other.bound_);
  return *this;
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

Statement& Statement::Bind(std::int64_t value) {
  sqlite3_bind_int64(handle_, ++bound_, value);
  return *this;
}

Statement& Statement::Bind(std::string_view text) {
  const char* start = text.data() == nullptr ? "" : text.data();
  sqlite3_bind_text(handle_, ++bound_, start, static_cast<int>(text.size()), SQLITE_STATIC);
  return *this;
}

Statement& Statement::BindBlob(std::string_view bytes) {
  sqlite3_bind_blob(handle_, ++bound_, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
  return *this;
}

Statement& Statement::BindNull() {
  sqlite3_bind_null(handle_, ++bound_);
  return *this;
}

Status Statement::Run() {
  YARD_ASSIGN(bool row, Step());
  if (row) Reset();
  return {};
}

Result<bool> Statement::Step() {
  int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    Reset();
    return false;
  }
  Error error = DescribeFailure(sqlite3_db_handle(handle_));
  Reset();
  return Fail(std::move(error));
}

void Statement::Reset() {
  sqlite3_reset(handle_);
  bound_ = 0;
}

std::int64_t Statement::Int(int column) const {
  return sqlite3_column_int64(handle_, column);
}

std::string_view Statement::Text(int column) const {
  const void* start = sqlite3_column_blob(handle_, column);
  if (start == nullptr) return {};
  auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return {static_cast<const char*>(start), size};
}

bool Statement::IsBlob(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_BLOB;
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

Result<Database> Database::Open(const std::string& path, OpenMode mode) {
  if (mode == OpenMode::kCreate) MakePrivate(path);
  sqlite3* handle = nullptr;
  int code = sqlite3_open_v2(path.c_str(), &handle, OpenFlags(mode), nullptr);
  Database database(handle);
  if (code != SQLITE_OK) return Fail(DescribeFailure(handle));
  sqlite3_busy_timeout(handle, kBusyTimeoutMillis);
  return database;
}

Database::Database(Database&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

Database& Database::operator=(Database&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Database::~Database() {
  sqlite3_close_v2(handle_);
}

Status Database::Execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return Fail(DescribeFailure(handle_));
}

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return Fail(DescribeFailure(handle_));
  return Statement(statement);
}

Result<std::optional<std::int64_t>> Database::QueryInt(std::string_view sql) {
  YARD_ASSIGN(Statement statement, Prepare(sql));
  YARD_ASSIGN(bool row, statement.Step());
  if (!row || statement.IsNull(0)) return std::nullopt;
  return statement.Int(0);
}

std::int64_t Database::changed_rows() const {
  return sqlite3_changes64(handle_);
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

Result<Transaction> Transaction::Begin(Database& database, Kind kind) {
  YARD_TRY(database.Execute(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN"));
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  // A failed statement may have rolled back already; nothing is left to undo then.
  if (database_ != nullptr && database_->in_transaction()) (void)database_->Execute("ROLLBACK");
}

Status Transaction::Commit() {
  return database_->Execute("COMMIT");
}

}  // namespace yard::store
