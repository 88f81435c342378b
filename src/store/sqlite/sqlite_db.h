// A thin, owning door to SQLite: connections, prepared statements, transactions, and errors that
// say what to do.
//
// Purpose: no other file calls the C library for these. Errors of the disk (full, read-only,
// failing) become kUnavailable, since a later attempt may succeed; a damaged file names itself.
// Thread rule: a Database and its Statements are used by one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace yard::store {

// One prepared statement. Parameters are bound in order and borrowed: text must outlive the
// Run() or the last Step(). The Database must outlive the Statement.
class Statement {
 public:
  Statement() = default;
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  ~Statement();

  Statement& Bind(std::int64_t value);
  Statement& Bind(std::string_view text);
  Statement& BindBlob(std::string_view bytes);
  Statement& BindNull();

  // Executes a statement that returns no rows and makes it ready for the next one.
  Status Run();
  // Moves to the next row; false at the end, when the statement is ready again.
  Result<bool> Step();
  // Ends a walk over rows early.
  void Reset();

  std::int64_t Int(int column) const;
  // Valid until the next Step, Run or Reset.
  std::string_view Text(int column) const;
  bool IsBlob(int column) const;
  bool IsNull(int column) const;

 private:
  friend class Database;
  explicit Statement(sqlite3_stmt* handle) : handle_(handle) {}

  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

enum class OpenMode { kCreate, kExisting, kReadOnly };

class Database {
 public:
  static Result<Database> Open(const std::string& path, OpenMode mode);
  Database(Database&& other) noexcept;
  Database& operator=(Database&& other) noexcept;
  ~Database();

  // Runs statements separated by semicolons, ignoring their rows.
  Status Execute(const std::string& sql);
  Result<Statement> Prepare(std::string_view sql);
  // The first column of the first row; nothing if there is no row or it is NULL.
  Result<std::optional<std::int64_t>> QueryInt(std::string_view sql);

  std::int64_t changed_rows() const;
  bool in_transaction() const;
  sqlite3* handle() const { return handle_; }

 private:
  explicit Database(sqlite3* handle) : handle_(handle) {}

  sqlite3* handle_ = nullptr;
};

// Rolls back unless committed.
class Transaction {
 public:
  enum class Kind { kRead, kWrite };

  static Result<Transaction> Begin(Database& database, Kind kind);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Status Commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;
};

// The last failure on this connection, in our words.
Error DescribeFailure(sqlite3* handle);

}  // namespace yard::store
