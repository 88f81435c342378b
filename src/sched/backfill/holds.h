// Conservative backfill: waiting workloads get a planned start and a place for it, and nobody may
// start now who would still stand there then. Internal to sched.
//
// The plan is made by letting running workloads end when their limits or learned run times say,
// one after the other, until the waiting one fits. A workload without a known duration never ends.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "sched/core/trial.h"
#include "sched/place/gang.h"

namespace yard::sched {

// Amounts on one node.
struct NodeShare {
  NodeIndex node;
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::vector<std::int16_t> gpus;  // by GPU of the node
};

class Holds {
 public:
  Holds(Core& core, Trial& trial);

  // Places the workload now, beside all holds it would meet in its lifetime.
  GangResult Place(const Spec& spec, PoolIndex pool);
  // The earliest start of a workload that does not fit now; its place is held from then on.
  std::optional<Time> PlanLater(const Spec& spec, PoolIndex pool);
  // A promised workload takes these amounts, besides those taken for it, once others have left.
  void Promised(const Workload& workload, std::vector<NodeShare> rest);
  // A workload of this plan starts now and ends some day.
  void Started(const Workload& workload, std::vector<TaskPlacement> tasks);

  std::size_t size() const { return holds_.size(); }

 private:
  struct Hold {
    Time start;
    Time end;
    std::vector<NodeShare> then;  // what it takes when it starts
    std::vector<NodeShare> now;   // the part of it that will not have been freed by others
  };
  struct End {
    Time at;
    WorkloadId id;
    const Workload* workload;
    std::vector<TaskPlacement> tasks;
  };
  Time EndOf(Time start, Micros duration) const;
  void Meet(Time from, Time until);
  void Take(const NodeShare& share);
  std::vector<NodeShare> SharesOf(const Spec& spec, const std::vector<TaskPlacement>& tasks) const;
  NodeShare FreeOn(NodeIndex node) const;
  std::vector<Time> TimesOfChange() const;
  void ReleaseEnded(std::size_t& next, Time at);

  Core& core_;
  Trial& trial_;
  std::vector<End> ends_;  // sorted by time
  std::vector<Hold> holds_;
  std::deque<TaskShape> shapes_;  // of what holds take, for the trial
};

}  // namespace yard::sched
