// A whole data directory in one file, and back.
//
// The file is a consistent copy of the database, taken while the server runs or not, with the
// directory's keys and certificates inside, so that a restored server reads its sealed secrets and
// keeps its identity, and with the kept usage of work. It is readable by its owner only.
#pragma once

#include <string>

#include "base/result.h"

namespace yard::app {

// kConflict if `file` exists; it appears under its name only when it is whole and on disk.
Status BackUp(const std::string& data_dir, const std::string& file);

// kConflict if the directory holds a database already, kInvalid if the file is not a whole backup.
Status Restore(const std::string& file, const std::string& data_dir);

// Ends a restore that was cut short after the database was in place: without its keys the server
// would make new ones and could not read its secrets. To be called before every start.
Status FinishRestore(const std::string& data_dir);

}  // namespace yard::app
