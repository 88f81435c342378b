// The durable state: newest version of every object, and a journal of every change.
//
// A Commit is atomic and durable when it returns: after power loss either all of its entries are
// there or none. The journal keeps, for each change, the version it replaced, so that a change's
// "after" is the next "before" of the same object, or the object itself.
// Thread rule: Commit and Prune from the reactor thread only; Read* and Backup from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/journal.h"
#include "store/archive.h"

namespace yard::store {

enum class Verb { kCreate, kUpdate, kDelete };

enum class Pruned { kMore, kAll };

// One command's effects; the unit of atomicity.
struct Entry {
  Time at;
  Origin origin;
  std::vector<Change> changes;
  std::vector<WorkloadEvent> events;
  std::vector<Note> notes;
  std::vector<WorkloadId> recalled;  // leave the archive before the changes are made
};

class Store : public Archive {
 public:
  // Calls `take` for every live object, in no particular order. Once, before the first Commit.
  virtual Status Load(const std::function<Status(Object)>& take) = 0;

  // Makes all entries durable, in order, in one transaction. Returns the sequence number of the
  // last journal row. On failure nothing is stored and the store stays usable: a full disk is
  // kUnavailable, and the next Commit tries again.
  virtual Result<std::int64_t> Commit(std::span<const Entry> entries) = 0;

  virtual Result<JournalPage> ReadJournal(const JournalQuery& query) = 0;

  // Newest first.
  virtual Result<std::vector<WorkloadEvent>> ReadEvents(WorkloadId workload, std::size_t offset,
                                                        std::size_t limit) = 0;

  // Forgets some of the journal rows and events older than `before`, oldest first, in one short
  // transaction; to be called again while kMore. Live objects are never touched.
  virtual Result<Pruned> Prune(Time before) = 0;

  // A consistent copy in one file, while serving.
  virtual Status Backup(const std::string& path) = 0;

  virtual std::int64_t last_sequence() const = 0;
};

}  // namespace yard::store
