// The waiting workloads, in lines of interchangeable ones.
//
// A spec is everything about a workload that placement and admission look at. A line holds the
// waiting workloads of one queue, user and spec, in job order: what refuses the first refuses all,
// so a decision looks at lines, not at workloads.
//
// Invariant: no line is empty. Thread rule: one thread.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "sched/order/order_tree.h"
#include "sched/snapshot.h"

namespace yard::sched {

using SpecIndex = StrongId<struct SpecIndexTag, std::int32_t>;
using LineIndex = StrongId<struct LineIndexTag, std::int32_t>;

struct Spec {
  std::vector<TaskGroup> groups;
  std::vector<PoolIndex> pools;
  Preemptibility preemptibility = Preemptibility::kPreemptible;
  WorkloadKind kind = WorkloadKind::kTraining;
  std::int8_t required_level = -1;
  std::int8_t preferred_level = -1;
  Micros duration{0};  // at most, as far as known, in whole minutes; 0: unknown
  bool operator==(const Spec&) const = default;
};

struct SpecHash {
  std::size_t operator()(const Spec& spec) const;
};

// Job order: higher priority first, then older, then id.
struct JobKey {
  std::int64_t rank = 0;  // negated priority
  Time created;
  WorkloadId id;
  WorkloadIndex workload;
  auto operator<=>(const JobKey&) const = default;
};

struct Line {
  QueueIndex queue;
  UserIndex user;
  SpecIndex spec;
  OrderIndex lane;
  std::vector<PoolIndex> pools;  // to be tried in turn
  std::vector<Resources> costs;  // of one workload in each of them
  std::set<JobKey> jobs;
  WorkloadId first_id;  // of the first job, so that lists of lines need not look into them
};

// How long it will run at most, as far as limit or experience tell; 0: unknown.
Micros DurationOf(const Workload& workload);

// When a running workload that lasts so long ends, later than now. One that has outlived what
// experience says is expected to take twice as long, and so on, within its limit.
Time ExpectedEnd(const Workload& running, Micros duration, Time now);

Spec SpecOf(const Workload& workload);

// The pools that the workload tries in turn.
std::vector<PoolIndex> PoolsOf(const Snapshot& snapshot, const Workload& workload);

class Waiting {
 public:
  // The line of the workload. A fresh one has neither pools nor costs yet: the caller fills them.
  LineIndex LineOf(const Workload& workload, OrderIndex lane);
  // Forgets the line if nobody waits in it.
  void DropIfEmpty(LineIndex line);

  Line& At(LineIndex line) { return lines_[static_cast<std::size_t>(line.value)]; }
  const Line& At(LineIndex line) const { return lines_[static_cast<std::size_t>(line.value)]; }
  const Spec& SpecAt(SpecIndex spec) const {
    return specs_[static_cast<std::size_t>(spec.value)].spec;
  }
  // The lines of a spec, in no particular order; empty for a spec that is not in use.
  const std::vector<LineIndex>& LinesOf(SpecIndex spec) const {
    return specs_[static_cast<std::size_t>(spec.value)].lines;
  }
  std::size_t line_slots() const { return lines_.size(); }
  std::size_t spec_slots() const { return specs_.size(); }

 private:
  struct SpecSlot {
    Spec spec;
    std::vector<LineIndex> lines;
  };
  struct LineKey {
    QueueIndex queue;
    UserIndex user;
    SpecIndex spec;
    bool operator==(const LineKey&) const = default;
  };
  struct LineKeyHash {
    std::size_t operator()(const LineKey& key) const;
  };
  SpecIndex Intern(Spec spec);

  std::vector<Line> lines_;
  std::vector<LineIndex> free_lines_;
  std::unordered_map<LineKey, LineIndex, LineKeyHash> by_key_;
  std::vector<SpecSlot> specs_;
  std::vector<SpecIndex> free_specs_;
  std::unordered_map<Spec, SpecIndex, SpecHash> by_spec_;
};

}  // namespace yard::sched
