// Writes entries into the tables, through statements prepared once per connection.
//
// Invariant: journal rows are numbered without gaps, in the order of the entries. What an entry
// recalls has left the archive before. The caller holds the transaction. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/sqlite/entity_key.h"
#include "store/sqlite/sqlite_db.h"
#include "store/store.h"

namespace yard::store {

class CommitWriter {
 public:
  static Result<CommitWriter> Prepare(Database& database);

  // Numbers its journal rows from `sequence` + 1 and moves `sequence` to the last one.
  Status Write(const Entry& entry, std::int64_t& sequence);

 private:
  struct Row {
    int verb = 0;
    int status = 200;
    std::string_view action;
    std::string_view entity_type;
    const EntityKey& entity_key;
    std::string_view entity_name;
  };

  Status WriteChange(const Entry& entry, const Change& change, std::int64_t sequence);
  Status WriteRow(const Entry& entry, const Row& row, std::int64_t sequence);
  Status WriteEvent(const WorkloadEvent& event);
  Status KeepReplaced(const Row& row, std::int64_t sequence);
  Status Apply(const Change& change, const Row& row);

  explicit CommitWriter(Database& database) : database_(&database) {}

  Database* database_;
  Statement insert_object_;
  Statement update_object_;
  Statement delete_object_;
  Statement insert_undo_;
  Statement insert_row_;
  Statement insert_event_;
  std::string detail_;  // reused from row to row
};

}  // namespace yard::store
