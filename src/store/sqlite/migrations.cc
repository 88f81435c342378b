#include "store/sqlite/migrations.h"

#include <fmt/format.h>

namespace yard::store {
namespace {

Result<std::int64_t> Pragma(Database& database, std::string_view name) {
  YARD_ASSIGN(auto value, database.QueryInt(fmt::format("PRAGMA {}", name)));
  return value.value_or(0);
}

Status CheckOwner(Database& database, const Schema& schema, std::int64_t version) {
  YARD_ASSIGN(std::int64_t owner, Pragma(database, "application_id"));
  YARD_ASSIGN(auto tables, database.QueryInt("SELECT count(*) FROM sqlite_schema"));
  bool is_new = owner == 0 && version == 0 && tables == 0;
  if (is_new || owner == schema.application_id) return {};
  return Fail(Code::kInvalid,
              fmt::format("{} is an SQLite database of another program", schema.file),
              "choose another data directory");
}

}  // namespace

Status Migrate(Database& database, const Schema& schema) {
  YARD_ASSIGN(std::int64_t version, Pragma(database, "user_version"));
  YARD_TRY(CheckOwner(database, schema, version));
  if (version == schema.version()) return {};
  if (version > schema.version()) {
    return Fail(Code::kUnsupported,
                fmt::format("{} has schema version {}, newer than {}, the newest this program "
                            "knows",
                            schema.file, version, schema.version()),
                "start the newer program that wrote it, or restore an older backup");
  }
  YARD_ASSIGN(Transaction transaction, Transaction::Begin(database, Transaction::Kind::kWrite));
  for (const char* step : schema.steps.subspan(static_cast<std::size_t>(version))) {
    YARD_TRY(database.Execute(step));
  }
  YARD_TRY(database.Execute(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}",
                                        schema.application_id, schema.version())));
  return transaction.Commit();
}

}  // namespace yard::store
