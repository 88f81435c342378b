// The places that are being cleared for waiting work, and those planned for protected heads.
//
// Work that others are evicted for is promised exactly the place they leave, until it starts, stops
// waiting, or the place is lost. A restart of the server forgets promises: what was told to stop
// stops, and the next decision is made anew.
//
// Invariant: an attempt leaves for one workload at most. Thread-safe.
#pragma once

#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/attempt.h"
#include "model/ids.h"

namespace yard::control {

struct Promise {
  WorkloadId workload;
  NodePoolId pool;
  std::vector<TaskPlace> places;   // by rank
  std::vector<AttemptId> victims;  // that leave them
};

// A start that later arrivals do not move, and its place.
struct HeldPlace {
  Time at;
  std::vector<TaskPlace> places;  // by rank
};

class Promises {
 public:
  void Make(Promise promise);
  // What was promised, if anything was.
  std::optional<Promise> Drop(WorkloadId workload);

  std::optional<Promise> Of(WorkloadId workload) const;
  std::optional<WorkloadId> LeavesFor(AttemptId victim) const;
  std::vector<WorkloadId> All() const;

  // The heads of the newest decision: these and no others.
  void SetHeads(std::unordered_map<WorkloadId, HeldPlace> heads);
  std::optional<HeldPlace> HeadOf(WorkloadId workload) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<WorkloadId, Promise> promises_;      // guarded by mutex_
  std::unordered_map<AttemptId, WorkloadId> leaves_for_;  // the same
  std::unordered_map<WorkloadId, HeldPlace> heads_;       // the same
};

}  // namespace yard::control
