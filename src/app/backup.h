// A whole data directory in one file, and back.
//
// The file is a consistent copy of the database, taken while the server runs or not, with the
// directory's keys and certificates inside, so that a restored server reads its sealed secrets and
// keeps its identity, with the kept usage of work and its logs, and with tracked runs and studies
// (backup_records.h). It is readable by its owner only.
#pragma once

#include <string>

#include "base/result.h"

namespace yard::app {

// Where the parts of a server's data lie.
struct DataFolders {
  std::string data_dir;
  std::string task_dir = {};  // of the logs; empty: they are left out
};

// What the server does with work that waited when the backup was made.
enum class RestoredQueue {
  kHeld,  // every workload waits until somebody releases it: the original may still run it
  kRuns,
};

// kConflict if `file` exists; it appears under its name only when it is whole and on disk.
Status BackUp(const DataFolders& from, const std::string& file);

// kConflict if the directory holds a database already, kInvalid if the file is not a whole backup.
Status Restore(const std::string& file, const DataFolders& into,
               RestoredQueue queue = RestoredQueue::kHeld);

// Whether the server that starts next must hold what waits, and that it has done so.
bool MustHoldQueue(const std::string& data_dir);
void QueueIsHeld(const std::string& data_dir);

// Ends a restore that was cut short after the database was in place: without its keys the server
// would make new ones and could not read its secrets. To be called before every start.
Status FinishRestore(const std::string& data_dir);

}  // namespace yard::app
