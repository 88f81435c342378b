// One-file backups: made while serving, checked before they are put in place.
//
// A backup appears under its name only when it is whole and on disk: it is written beside it,
// synced, and renamed; an existing file is never overwritten. Any thread.
#pragma once

#include <string>

#include "base/result.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::store {

// kConflict if `path` exists.
Status WriteBackup(Database& source, const std::string& path);

// Copies a backup to `database_path`, which must not exist, once it has passed every check.
Status InstallBackup(const std::string& backup_path, const std::string& database_path);

}  // namespace yard::store
