// Past GPU usage of each queue, and of each person in it, fading with a half-life: what decayed
// fair share looks at.
//
// Kept as a moving average of the share of a pool's GPUs, in millionths. One thread.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "sched/snapshot.h"

namespace yard::sim {

class DecayedUsage {
 public:
  DecayedUsage(const sched::Snapshot& cluster, Micros half_life);

  // The cluster stayed as in `snapshot` for `span`.
  void Pass(const sched::Snapshot& snapshot, Micros span);
  // Writes the usage into the shares of the queues and of their people.
  void WriteTo(sched::Snapshot& snapshot) const;

 private:
  std::size_t pools_;
  Micros half_life_;
  std::vector<double> capacity_;  // by pool
  std::vector<double> usage_;     // [queue x pool], 0..1
  // Of all GPUs, 0..1.
  std::map<std::pair<sched::QueueIndex, sched::UserIndex>, double> people_;
};

}  // namespace yard::sim
