// Drives work, as a function of what happened: Step takes the state, the inbox and the time, and
// answers with one commit and with calls of the engine.
//
// It has no thread, lock or clock and makes no call, so that the same inputs give the same orders:
// the driver (control/runtime) runs it in the server, the simulator runs it with faults.
//
// Only what is durable reaches the engine: an attempt is launched, and an order to stop it carried
// out, when the notice of its commit comes back in a later inbox. If a commit fails nothing is
// lost: what tasks said is kept and decided on again.
//
// After a start, attempts that have not ended are found again at the engine: what runs goes on,
// what ended is recorded, what was never launched is launched, what is lost ends as lost.
// One thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "control/dispatch/cycle.h"
#include "control/dispatch/idle.h"
#include "control/dispatch/inbox.h"
#include "control/dispatch/orders.h"
#include "control/sched/run_times.h"
#include "control/sched/view.h"
#include "sched/policy.h"

namespace yard {
struct WarningSpec;  // model/spec/spec.h
}

namespace yard::control {

class Dispatcher {
 public:
  // Run times and promises must outlive it.
  Dispatcher(ClusterId cluster, sched::Policy usual, RunTimes& run_times, Promises& promises);

  // Once, first. `adopted` is what the engine has of an earlier life.
  Orders Adopt(const State& state, const std::vector<engine::TaskStatus>& adopted, Time now);
  Orders Step(const State& state, Inbox inbox, Time now);
  // How the commit of the newest orders went; `state` is the newest.
  void Committed(const State& state, const Cycle& cycle);
  void NotCommitted(const State& state, const Cycle& cycle, Time now);

  // When to step next although nothing happens.
  Time wake_at() const;

 private:
  static constexpr Micros kReturnPause = Seconds(10);  // doubled with each failed try
  // An attempt that has not ended, and what its tasks said last.
  struct Open {
    Ptr<Attempt> attempt;
    GangRule rule = GangRule::kAllComplete;
    std::vector<engine::TaskStatus> tasks;  // by rank
    bool rest_stopped = false;
    IdleWatch idle;
    Time return_after;  // while away: not tried before; zero: at once
    Micros return_pause = kReturnPause;
    std::optional<Time> resumed_at;  // while away: its place among those who wait to return
    std::optional<Time> warned_of;   // the deadline that its warning is, or was, sent for
  };

  bool IsMine(const State& state, const Attempt& attempt) const;
  void Reopen(const State& state, const Ptr<Attempt>& attempt);
  void Dismiss(const State& state, const std::vector<engine::TaskStatus>& adopted);
  void AskAgain(const Inbox& inbox, Time now);
  void TakeAttempt(const State& state, const AttemptChange& change);
  void TakeContact(Inbox& inbox, Time now);
  void TakePassed(Inbox& inbox);
  Passed PassedNow(const State& state, const WaitBoard::Notes& notes) const;
  void TakeTask(const engine::TaskStatus& status);
  enum class Unknown { kSettled, kNeverLaunched };
  Unknown TakeUnknown(const State& state, const engine::TaskKey& key, Time now);
  void AskForStatus(Time now);
  void Relocated(Open& open);
  void SyncView(const State& state, const Inbox& inbox, Time now);
  void ArmDeadline(const State& state, WorkloadId id);
  void ArmWarning(const WarningSpec& warning, const Attempt& attempt, Time deadline);
  void SendWarnings(Time now);
  void AddProgress(const State& state, Cycle& cycle);
  void AddDeadlines(const State& state, Time now, Cycle& cycle);
  void ReadDrains(const State& state);
  void AddDrains(Time now, Cycle& cycle);
  void AddGated(const State& state, Cycle& cycle);
  void AskForUsage(const State& state, Time now);
  void AddNotes(const State& state, const Inbox& inbox, Cycle& cycle);
  void AddIdle(const State& state, const Inbox& inbox, Time now, Cycle& cycle);
  void TakeResumed(const std::vector<AttemptId>& resumed);
  void TakeMoved(const std::vector<Moved>& moved, Time now);
  void MoveAgain(Time now);
  void AddReturns(const State& state, Time now, Cycle& cycle);
  sched::Plan DecideWithReturns(const State& state, Cycle& cycle);
  std::set<WorkloadId> RestartingIn(const Cycle& cycle) const;
  void AddPlan(const State& state, Time now, Cycle& cycle);
  StartOrder OrderFor(sched::Start start) const;
  struct Planned {
    const sched::Plan& plan;
    std::vector<sched::Restart> restarts;
  };
  std::optional<PromiseOrder> PromiseFor(const State& state, const Planned& planned,
                                         const sched::Start& start, Time now) const;
  std::optional<PromiseOrder> RestartFor(const State& state, const sched::Restart& restart,
                                         Time now) const;
  bool Goes(const State& state, const PromiseOrder& order) const;
  void MakePromise(const State& state, const PromiseOrder& order);
  void MakePromises(const State& state, const std::vector<PromiseOrder>& orders);
  void DropPromise(const State& state, WorkloadId id);
  void KeepHeads(const sched::Plan& plan);
  void DropUnwanted(const State& state);
  void Publish(const State& state, Time now, Orders& orders);
  void AddQueued(WaitBoard::Notes& notes) const;

  // Orders to the engine.
  void Ask(EngineOrder order) { asked_.push_back(std::move(order)); }
  void StopAll(const State& state, const Attempt& attempt);
  bool RunsWhole(const Attempt& attempt) const;
  void Stop(StopTasks order);
  void Launch(std::vector<engine::TaskKey> keys);
  void Move(const Attempt& attempt);

  // A node that is drained for a time, or on which work is stopped at a time.
  struct TimedDrain {
    NodeId id;
    std::string name;
    std::optional<Time> stop_at;
    std::optional<Time> until;
  };

  // Why the engine is out of contact, and since when.
  struct Lost {
    Time since;
    std::string why;
  };

  const ClusterId cluster_;
  RunTimes& run_times_;
  Promises& promises_;
  SchedView view_;
  std::unordered_map<AttemptId, Open> open_;
  std::set<AttemptId> touched_;  // whose tasks said something not committed yet
  std::set<std::pair<Time, WorkloadId>> deadlines_;
  std::unordered_map<WorkloadId, Time> deadline_of_;
  std::set<std::pair<Time, WorkloadId>> begins_;  // of work that is to begin later
  std::multimap<Time, StopTasks> warnings_;       // signals before a deadline
  std::vector<TimedDrain> drains_;
  std::optional<Time> drain_turn_;    // when one of them does something next
  std::set<WorkloadId> newly_gated_;  // not looked at for what can never happen
  std::multimap<Time, engine::TaskKey> launch_again_;
  std::multimap<Time, StopTasks> stop_again_;
  std::multimap<Time, AttemptId> move_again_;            // of which it is not known where they are
  std::optional<std::vector<engine::NodeState>> nodes_;  // not committed yet
  std::optional<Lost> lost_;
  bool nodes_lost_ = false;    // not committed yet
  std::set<AttemptId> away_;   // those of open_ that are off their GPUs
  std::vector<Moved> moved_;   // answers not committed yet
  bool decide_ = true;         // something changed since the last decision
  bool shares_ = false;        // a project has several clusters
  bool remark_ = false;        // somebody may wait for another reason than published
  std::size_t published_ = 0;  // how many waited by the newest board
  std::optional<Time> turn_;   // when a reservation or a guard changes what may start
  Time remarked_at_;
  Time idle_look_at_;
  Time nodes_read_at_;
  Time status_read_at_;
  std::optional<Time> retry_at_;    // after a failed commit
  std::vector<EngineOrder> asked_;  // in this step
};

}  // namespace yard::control
