// Takes running tasks off their GPUs and puts them back.
//
// A task with an enforced part of a GPU leaves by its slice, which then lets nobody in. Any other
// leaves by the driver's checkpoint of those of its processes that hold memory of its GPUs. Nothing
// is written down for it: the driver knows of each process whether it is away, also after a
// restart. The copy in host memory counts as the task's own, so its limit is higher while it is
// away. Thread-safe. One task moves at a time; a call takes as long as the copy.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "base/result.h"
#include "engine/local/gpu/gpus.h"
#include "engine/local/gpu/slices.h"
#include "engine/local/native/cgroups.h"
#include "engine/local/options.h"
#include "engine/local/tasks/task_table.h"
#include "slice/agent/checkpoint.h"

namespace yard::engine {

// What it borrows must outlive it.
struct ParkingParts {
  const LocalOptions& options;
  const Cgroups& groups;
  Gpus& gpus;
  Slices& slices;
};

class GpuParking {
 public:
  explicit GpuParking(const ParkingParts& parts);

  // Why no task can be parked on this machine; empty: tasks can.
  const std::string& missing() const { return missing_; }

  // All of the task's processes or none; doing it again changes nothing. kUnavailable: it is not
  // known whether it is away, ask again. See engine/engine.h.
  Status Park(const KnownTask& task);
  Status Unpark(const KnownTask& task);

 private:
  using Holders = std::map<int, Mebibytes>;

  Status OpenDriver();
  Result<bool> IsAway(const KnownTask& task);
  static Result<std::vector<int>> ProcessesOf(const KnownTask& task);
  Result<Holders> HoldersOf(const KnownTask& task);
  Status MakeRoom(const KnownTask& task, const Holders& holders);
  Status Leave(const KnownTask& task, const Holders& holders);
  Status TryToLeave(const KnownTask& task);
  Status Return(const KnownTask& task);

  const ParkingParts parts_;
  std::string missing_;
  std::mutex mutex_;
  std::optional<slice::Checkpointer> driver_;  // guarded by mutex_; opened when needed
};

}  // namespace yard::engine
