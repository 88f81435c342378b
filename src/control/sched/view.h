// The scheduler's picture of a State, kept in step change by change.
//
// Level-triggered: Sync looks at what a workload is now and makes the scheduler agree, whatever
// happened in between. Changes of the organisation or of nodes make the picture stale; Rebuild
// makes it anew. Invariant: a workload with an attempt that has not ended holds its places; of one
// that is away these are without their GPUs, and nobody may take the rest from it. One thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "control/commands/scheduler_settings.h"
#include "control/dispatch/array_throttle.h"
#include "control/dispatch/gate.h"
#include "control/dispatch/guard_ends.h"
#include "control/sched/choices.h"
#include "control/sched/past_usage.h"
#include "control/sched/promises.h"
#include "control/sched/run_times.h"
#include "control/sched/shapes.h"
#include "control/sched/tables.h"
#include "control/state/state.h"
#include "sched/scheduler.h"

namespace yard::control {

class SchedView {
 public:
  // `usual` holds where no setting says otherwise (scheduler_settings.h). The run times and the
  // promises must outlive it; whoever changes a promise syncs the workloads it is about.
  SchedView(ClusterId cluster, sched::Policy usual, const RunTimes& run_times,
            const Promises& promises)
      : cluster_(cluster), usual_(usual), run_times_(run_times), promises_(promises) {}

  Status Rebuild(const State& state, Time now);
  // The time from now on.
  void SetNow(Time now);
  Time now() const { return now_; }
  bool stale() const { return stale_ || !scheduler_; }
  void MarkStale() { stale_ = true; }

  // An attempt ended: what it used counts for decayed fair share.
  void AddUsage(const State& state, const Attempt& attempt);
  // When next a reservation begins, ends or is given back, or running work may be asked to give
  // way. Not while stale.
  std::optional<Time> NextTurn(Time after);

  // When past usage has faded enough to be written anew; nothing: it is not looked at.
  std::optional<Time> usage_due() const { return usage_due_; }

  // What the workload holds is free from now on, ahead of the commit that says so. If that commit
  // fails, the picture must be marked stale.
  void Release(WorkloadId id);

  // Gives a workload that is away its GPUs again, ahead of the commit that says so, if they are
  // free and in service; the same holds for that commit.
  bool Return(const Workload& workload, const Attempt& attempt);
  // Takes that back: the workload stays away.
  void Withdraw(const Workload& workload, const Attempt& attempt);

  // Work that other clusters have no place for. A caller who changes it syncs those workloads.
  void SetPassed(PassedBy passed) { passed_ = std::move(passed); }
  const PassedBy& passed() const { return passed_; }

  // Whether a change of the workload can change the picture.
  bool Concerns(const State& state, WorkloadId id) const;
  // Brings one workload, and those that waited for it, in line with the state.
  void Sync(const State& state, WorkloadId id);

  sched::Scheduler& scheduler() { return *scheduler_; }
  const sched::Snapshot& scheduler_snapshot() const { return scheduler_->snapshot(); }
  const SchedTables& tables() const { return tables_; }
  // The place the workload has in the scheduler's tables.
  std::optional<sched::WorkloadIndex> Find(WorkloadId id) const;
  WorkloadId IdOf(sched::WorkloadIndex index) const {
    return ids_[static_cast<std::size_t>(index.value)];
  }

  // Workloads that wait for something else than a place, and those that came to since last asked.
  const std::map<WorkloadId, GateAnswer>& gated() const { return gated_; }
  std::vector<WorkloadId> TakeNewlyGated() { return std::exchange(newly_gated_, {}); }

  // A submission that is not made, as if it waited.
  Result<sched::WorkloadIndex> AddDraft(const Workload& draft);
  // Whether something could not be described for want of rows that Rebuild would make.
  bool NeedsWords() const { return extra_.size() > tables_words_.size(); }

 private:
  struct Slot {
    sched::WorkloadIndex index;
    sched::WorkloadState state = sched::WorkloadState::kPending;
    std::int64_t priority = 0;
    std::size_t wish = 0;    // while waiting: tells what it asks for from what it asked for before
    AttemptId attempt = {};  // while running
    Time started = {};       // the same
    bool away = false;       // the same
    bool returns = false;    // the same
    std::optional<WorkloadId> leaves_for = {};  // the same
    bool operator==(const Slot&) const = default;
  };
  Slot SlotOf(sched::WorkloadIndex index, sched::WorkloadState as, const Workload& workload,
              const Attempt* attempt) const;

  // What the scheduler should see of a workload; nothing: it should not see it.
  std::optional<sched::WorkloadState> Wanted(const State& state, const Workload& workload);
  std::optional<sched::WorkloadState> WantedWaiting(const State& state, const Workload& workload);
  std::optional<sched::Workload> Describe(const Workload& workload, sched::WorkloadState as,
                                          const Attempt* attempt, const InternShape& intern);
  std::vector<sched::TaskPlacement> TasksOf(const sched::Workload& row,
                                            const std::vector<TaskPlace>& places);
  bool Knows(const std::vector<TaskPlace>& places) const;
  void AddHead(sched::Workload& row, WorkloadId id);
  bool LiesOnPromisedPlace(const Attempt& attempt) const;
  void AddSpared(sched::Workload& row, const State& state, const Workload& workload) const;
  void SyncOne(const State& state, WorkloadId id);
  void Enter(const State& state, const Workload& workload, sched::WorkloadState as,
             const Attempt* attempt);
  void Change(const State& state, Slot& slot, const Workload& workload, sched::WorkloadState as,
              const Attempt* attempt);
  bool Rewrite(Slot& slot, const Workload& workload, const Attempt& attempt);
  void Leave(WorkloadId id);
  void LeaveThrottle(const Workload& workload);
  void Remember(WorkloadId id, const Slot& slot);
  void WriteUsage(const State& state, const SchedulerRules& rules);
  void WriteLastUse(const State& state);
  void AddRow(sched::Snapshot& snapshot, const State& state, const Workload& workload);

  const ClusterId cluster_;
  const sched::Policy usual_;
  Time now_;
  const RunTimes& run_times_;
  const Promises& promises_;
  PassedBy passed_;
  std::int64_t most_evictions_ = 0;  // of one workload in an hour
  bool elastic_ = false;             // whether work may run with fewer or more workers
  std::optional<PastUsage> usage_;   // while fairness looks at it
  std::optional<Time> usage_due_;
  SchedTables tables_;
  ExtraWords extra_;         // seen so far
  ExtraWords tables_words_;  // those the tables were made with
  std::optional<sched::Scheduler> scheduler_;
  bool stale_ = true;
  GuardEnds guards_;
  bool padded_ = false;  // a node was given more than it has, since more is taken of it
  std::unordered_map<WorkloadId, Slot> slots_;
  std::vector<WorkloadId> ids_;  // by WorkloadIndex
  std::unordered_map<WorkloadId, std::set<WorkloadId>> followers_;
  ArrayThrottle throttle_;
  std::vector<WorkloadId> again_;  // to be looked at once more
  std::map<WorkloadId, GateAnswer> gated_;
  std::vector<WorkloadId> newly_gated_;
};

}  // namespace yard::control
