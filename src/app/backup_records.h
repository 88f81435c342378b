// The part of a backup that holds tracked runs and studies: their records, as consistent copies of
// databases that the server goes on writing, and the courses of metrics.
//
// Files that runs have stored (`track/artifacts`) are left out: they may be larger than everything
// else together, never change, and are copied as the files they are.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/sqlite/sqlite_db.h"

namespace yard::app {

// `insert` takes a name and bytes. `scratch` is a path beside the backup that nothing uses.
Status CarryRecords(store::Statement& insert, const std::string& data_dir,
                    const std::string& scratch);

// Whether a name in a backup is of this part, and cannot lead out of the data directory.
bool IsOfRecords(std::string_view name);
// Puts one piece in its place; the pieces of a file come in their order.
Status PutRecords(const std::string& data_dir, std::string_view name, std::string_view bytes);

}  // namespace yard::app
