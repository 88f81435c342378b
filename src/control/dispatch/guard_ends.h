// When running work loses its guard against giving way to other work, or may grow: nothing else
// happens at that moment, so the scheduler must be asked again just then.
//
// May name moments of work that is gone by then: asking once too often does no harm. One thread.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "base/time.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::control {

class GuardEnds {
 public:
  // Everything anew: the guards of the queues, and what runs in the snapshot.
  void Reset(const sched::Snapshot& snapshot, const sched::Policy& policy);
  // It began to run.
  void Add(const sched::Workload& running);
  // Forgets what is not later.
  std::optional<Time> NextAfter(Time now);

 private:
  using Guards = std::array<Micros, 2>;  // against other queues, against the own project

  std::vector<Guards> guards_;  // by queue
  Micros grows_after_{0};       // of elastic work
  std::set<Time> ends_;
};

}  // namespace yard::control
