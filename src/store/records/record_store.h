// The records of one directory, in the SQLite database `records.db`; see store/records.h.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/records.h"

namespace yard::store {

// Makes the directory if needed. One process owns it at a time: a second open is kConflict.
Result<std::unique_ptr<RecordStore>> OpenRecords(const std::string& directory);

}  // namespace yard::store
