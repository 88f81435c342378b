// How much of each pool's GPUs projects have used, and people in each project, fading with a
// half-life: what decayed fair share and fairness between people look at.
//
// Attempts that ended are added once, when they end; those that run are read from the scheduler's
// own table. Usage is a share of the pool's GPUs, averaged over the past with weights that halve
// every half-life. One thread.
#pragma once

#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/time.h"
#include "control/sched/tables.h"
#include "control/state/state.h"
#include "model/attempt.h"

namespace yard::control {

class PastUsage {
 public:
  explicit PastUsage(Micros half_life) : half_life_(half_life) {}

  Micros half_life() const { return half_life_; }

  // Adds every attempt of the state that has ended, except those added before; of the archive those
  // of the newest kArchived workloads.
  static constexpr std::size_t kArchived = 10'000;
  void AddAll(const State& state);
  void Add(const State& state, const Attempt& attempt);

  // Writes the usage at the snapshot's time into the shares of its queues and of their people.
  void WriteTo(SchedTables& tables) const;

 private:
  struct Faded {
    double milli_micros = 0;  // thousandths of a GPU times microseconds, as they count at `at`
    Time at;
  };

  void Add(const Workload& workload, const Attempt& attempt);
  // What is left of a use from `begin` to `end`, seen from `now`, of one thousandth of a GPU.
  double Left(Time begin, Time end, Time now) const;
  double Fade(Micros span) const;

  void Count(Faded& faded, const Attempt& attempt) const;
  void WritePeople(SchedTables& tables) const;

  Micros half_life_;
  std::map<std::pair<ProjectId, NodePoolId>, Faded> used_;
  std::map<std::pair<ProjectId, std::string>, Faded> people_;  // by who made the work
  std::unordered_set<AttemptId> added_;
};

}  // namespace yard::control
