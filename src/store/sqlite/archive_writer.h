// Moves ended work between the live tables and the archive.
//
// On its way in, a workload takes its attempts, its events and the versions that its changes
// replaced along; what the journal says about its attempts, which nobody is shown, goes. On its
// way out all but the latter comes back. The caller holds the transaction. One thread.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "store/sqlite/archive_body.h"
#include "store/sqlite/sqlite_db.h"
#include "store/store.h"

namespace yard::store {

class ArchiveWriter {
 public:
  static Result<ArchiveWriter> Prepare(Database& database);

  Status Put(const ArchiveItem& item);
  // kInternal if the archive does not have it.
  Status Recall(WorkloadId id);

 private:
  explicit ArchiveWriter(Database& database) : database_(&database) {}

  Result<ArchiveBody> TakeBody(const ArchivedWorkload& past);
  Result<std::string> TakeObject(std::string_view kind, const Uuid& id);
  Status TakeUndo(const Uuid& workload, ArchiveBody& body);
  Status TakeEvents(const Uuid& workload, ArchiveBody& body);
  Status ForgetJournal(const Uuid& attempt);
  Result<std::int64_t> PutBody(const ArchiveBody& body);
  Status PutRow(const ArchiveItem& item, std::int64_t body);
  Status Count(const Workload& workload, std::int64_t more);
  // Adds the row's sums to those of its days, or with sign -1 takes them away.
  Status AddUsage(const Uuid& workload, std::int64_t sign);
  Status RestoreBody(const Uuid& workload, const ArchivedWorkload& past, const ArchiveBody& body);
  Status RestoreObject(std::string_view kind, const Uuid& id, const std::string& text);

  Database* database_;
  std::int64_t dictionary_ = 0;
  Statement take_object_;
  Statement read_undo_;
  Statement delete_undo_;
  Statement read_events_;
  Statement delete_events_;
  Statement forget_undo_;
  Statement forget_rows_;
  Statement insert_body_;
  Statement insert_row_;
  Statement count_;
  Statement uncount_;
  Statement add_usage_;
  Statement drop_usage_;
  Statement read_body_;
  Statement delete_row_;
  Statement delete_body_;
  Statement insert_name_;
  Statement delete_name_;
  Statement insert_attempt_;
  Statement delete_attempt_;
  Statement insert_object_;
  Statement insert_undo_;
  Statement insert_event_;
};

}  // namespace yard::store
