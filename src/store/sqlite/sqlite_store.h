// The embedded store: one SQLite database in WAL mode, synchronous=FULL.
//
// See store/store.h for the contract. The database is owned by one process at a time: a second
// open of the same directory fails with kConflict.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace yard::store {

struct SqliteOptions {
  // The database file never grows beyond this many pages of 4 KiB: commits fail as if the disk
  // were full.
  std::optional<std::int64_t> max_pages = std::nullopt;
};

// Opens `directory`/gpuyard.db, making it if needed, and brings its schema up to date. A schema
// newer than this program is refused with kUnsupported.
Result<std::unique_ptr<Store>> OpenSqlite(const std::string& directory,
                                          const SqliteOptions& options = {});

// Puts a backup file in place as a new data directory. Fails with kConflict if the directory
// already holds a database, with kInvalid if the file is not a whole Gpuyard backup.
Status RestoreSqlite(const std::string& backup_path, const std::string& directory);

}  // namespace yard::store
