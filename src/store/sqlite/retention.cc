#include "store/sqlite/retention.h"

#include <string_view>

#include <fmt/format.h>

namespace yard::store {
namespace {

struct Prefix {
  std::int64_t last = 0;  // sequence number of its last row
  int rows = 0;
};

// The rows at the beginning of the table that are all old enough, at most kPruneRows.
Result<Prefix> FindPrefix(Database& database, std::string_view table, Time before) {
  YARD_ASSIGN(Statement rows,
              database.Prepare(fmt::format("SELECT sequence, at FROM {0} WHERE sequence < "
                                           "(SELECT max(sequence) FROM {0}) "
                                           "ORDER BY sequence LIMIT {1}",
                                           table, kPruneRows)));
  Prefix prefix;
  while (true) {
    YARD_ASSIGN(bool more, rows.Step());
    if (!more || Time{rows.Int(1)} >= before) return prefix;
    prefix = {.last = rows.Int(0), .rows = prefix.rows + 1};
  }
}

Status DeleteUpTo(Database& database, std::string_view table, std::int64_t sequence) {
  return database.Execute(fmt::format("DELETE FROM {} WHERE sequence <= {}", table, sequence));
}

// The number of rows that went.
Result<int> PruneTable(Database& database, std::string_view table, Time before) {
  YARD_ASSIGN(Prefix prefix, FindPrefix(database, table, before));
  if (prefix.rows == 0) return 0;
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(database, Transaction::Kind::kWrite));
  YARD_TRY(DeleteUpTo(database, table, prefix.last));
  if (table == "journal") YARD_TRY(DeleteUpTo(database, "undo", prefix.last));
  YARD_TRY(transaction.Commit());
  return prefix.rows;
}

}  // namespace

Result<Pruned> PruneHistory(Database& database, Time before) {
  for (std::string_view table : {"journal", "event"}) {
    YARD_ASSIGN(int rows, PruneTable(database, table, before));
    if (rows > 0) return Pruned::kMore;
  }
  return Pruned::kAll;
}

}  // namespace yard::store
