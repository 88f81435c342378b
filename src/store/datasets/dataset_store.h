// Data sets in a folder: packs of chunks, and an index of them in SQLite. See store/datasets.h.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/datasets.h"

namespace yard::store {

// Makes the folder if needed and holds it alone. kConflict if another process has it.
Result<std::unique_ptr<DataSetStore>> OpenDataSets(const std::string& folder);

}  // namespace yard::store
