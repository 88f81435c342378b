// Drives work: tells the scheduler what changed, commits what it decides, and tells the engine.
//
// One thread goes round: it takes what happened (committed changes, news of tasks, launches that
// could not be made, time), brings the scheduler's picture in line, lets it decide, and commits
// everything in one transaction. Only what is durable reaches the engine: a new attempt is
// launched, an order to stop is carried out, when the notice of its commit comes back. If a
// commit fails, nothing is lost: what tasks said is kept and tried again.
//
// At the start, attempts that have not ended are found again at the engine: what runs goes on,
// what ended is recorded, what was never launched is launched, what is lost ends as lost.
//
// Thread-safe; see control/live.h for its public calls. Engine calls are made by Hands.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "control/dispatch/cycle.h"
#include "control/dispatch/hands.h"
#include "control/dispatch/idle.h"
#include "control/launch/spec.h"
#include "control/live.h"
#include "control/sched/advisor.h"
#include "control/sched/run_times.h"
#include "control/sched/view.h"
#include "control/service.h"
#include "control/usage/book.h"
#include "engine/engine.h"
#include "sched/policy.h"

namespace yard::control {

struct DriverOptions {
  sched::Policy policy;
  LaunchContext launch;
  std::size_t hands = 4;  // threads that make engine calls
  // At least so long from the end of one cycle to the next, so that under load what happens
  // meanwhile shares a transaction. After a quiet moment nothing waits.
  Micros pause{0};
  UsageOptions usage;
};

class Driver final : public Live {
 public:
  // Adopts what runs and starts. Service and engine must outlive it.
  static Result<std::unique_ptr<Driver>> Start(Service& service, engine::Engine& engine,
                                               DriverOptions options);
  ~Driver() override;

  // For tests: returns when everything that happened so far has had its effect.
  void Settle();
  // Time has moved, for clocks that move by hand.
  void Wake();
  // For tests: one look at what all that runs uses.
  void LookAtUsage() { usage_.Look(); }

  bool RunsAsOwner(const Workload& workload) const override;
  Result<engine::LogChunk> ReadLog(const TaskChoice& task, std::int64_t offset,
                                   std::size_t limit) override;
  Result<std::int64_t> LogOffsetAt(const TaskChoice& task, Time at) override;
  Result<std::unique_ptr<engine::LogWatch>> WatchLog(const TaskChoice& task,
                                                     std::function<void()> grown) override;
  Result<std::unique_ptr<engine::Session>> Exec(const TaskChoice& task,
                                                const engine::ExecSpec& spec) override;
  Result<std::unique_ptr<engine::Session>> Attach(const TaskChoice& task) override;
  Result<UniqueFd> ConnectPort(const TaskChoice& task, std::uint16_t port) override;
  Result<std::unique_ptr<engine::Session>> ReadFiles(const TaskChoice& task,
                                                     const std::string& path) override;
  Result<std::unique_ptr<engine::Session>> WriteFiles(const TaskChoice& task,
                                                      const std::string& path) override;
  Result<engine::TaskUsage> Usage(const TaskChoice& task) override;
  AttemptUse UseOf(AttemptId attempt) override { return usage_.UseOf(attempt); }
  UsageSeries UsageSeriesOf(AttemptId attempt) override { return usage_.SeriesOf(attempt); }
  Result<std::vector<engine::NodeState>> Nodes() override { return engine_.Nodes(); }
  engine::Capabilities Abilities() override { return engine_.capabilities(); }
  SharedBoard Waiting() override { return waiting_.load(); }
  Result<Why> Explain(WorkloadId workload) override { return advisor_.Explain(workload); }
  Result<Why> DryRun(const Workload& draft, DryRunDepth depth) override {
    return advisor_.DryRun(draft, depth);
  }
  Result<std::vector<QueueLine>> Queue() override { return advisor_.Queue(); }
  Result<std::vector<NthGpuLine>> NthGpuOrder() override { return advisor_.NthGpuOrder(); }

 private:
  static constexpr Micros kReturnPause = Seconds(10);  // doubled with each vain try
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
  };
  struct AttemptChange {
    Ptr<Attempt> before;
    Ptr<Attempt> after;
  };
  struct StopOrder {
    engine::TaskKey key;
    engine::StopOptions how;
  };
  struct Inbox {
    std::vector<WorkloadId> workloads;
    std::vector<AttemptChange> attempts;
    std::vector<engine::TaskStatus> tasks;
    std::vector<engine::TaskKey> not_launched;  // the engine could not take them now
    std::vector<StopOrder> not_stopped;         // the engine could not reach them now
    std::vector<engine::TaskUsage> usage;
    std::vector<engine::TaskNote> notes;
    std::vector<Moved> moved;
    std::vector<AttemptId> resumed;  // that were parked
    std::optional<std::vector<engine::NodeState>> nodes;
    bool org_changed = false;
    bool woken = false;

    bool empty() const {
      return workloads.empty() && attempts.empty() && tasks.empty() && not_launched.empty() &&
             not_stopped.empty() && usage.empty() && notes.empty() && moved.empty() &&
             resumed.empty() && !nodes && !org_changed && !woken;
    }
  };

  Driver(Service& service, engine::Engine& engine, DriverOptions options, CycleScope scope);
  Status Begin();
  Status Reconcile(const State& state, const std::vector<engine::TaskStatus>& adopted);
  void Reopen(const State& state, const Ptr<Attempt>& attempt);
  void Dismiss(const State& state, const std::vector<engine::TaskStatus>& adopted);

  // From other threads.
  void Tell(const std::function<void(Inbox&)>& put);
  void OnNotice(const Notice& notice);
  engine::Listener MakeListener();

  // Driver thread.
  void Loop();
  std::optional<Inbox> TakeInbox();
  void RunCycle(Inbox inbox);
  void AskAgain(const Inbox& inbox, Time now);
  void TakeAttempt(const State& state, const AttemptChange& change);
  void TakeTask(const engine::TaskStatus& status);
  void Relocated(Open& open);
  void SyncView(const State& state, const Inbox& inbox, Time now);
  void ArmDeadline(const State& state, WorkloadId id);
  void AddProgress(Cycle& cycle);
  void AddDeadlines(const State& state, Time now, Cycle& cycle);
  void AddGated(const State& state, Cycle& cycle);
  void AskForUsage(const State& state, Time now);
  void AddNotes(const State& state, const Inbox& inbox, Cycle& cycle);
  void AddIdle(const State& state, const Inbox& inbox, Time now, Cycle& cycle);
  void TakeResumed(const std::vector<AttemptId>& resumed);
  void TakeMoved(const std::vector<Moved>& moved, Time now);
  void MoveAgain(Time now);
  void AddReturns(const State& state, Time now, Cycle& cycle);
  sched::Plan DecideWithReturns(const State& state, Cycle& cycle);
  void AddPlan(const State& state, Time now, Cycle& cycle);
  StartOrder OrderFor(sched::Start start) const;
  std::optional<PromiseOrder> PromiseFor(const State& state, const sched::Plan& plan,
                                         const sched::Start& start, Time now) const;
  void MakePromises(const State& state, const std::vector<PromiseOrder>& orders);
  void DropPromise(const State& state, WorkloadId id);
  void DropUnwanted(const State& state);
  void PublishWaiting(Time now);
  void Commit(Cycle cycle, Time now);
  std::optional<Time> NextTimer() const;

  // Engine calls, made by the hands.
  void Launch(const engine::TaskKey& key);
  void StopAll(const Attempt& attempt);
  void StopTask(const engine::TaskKey& key, const engine::StopOptions& how);
  void MoveMemory(const Attempt& attempt);
  void Forget(const Attempt& attempt);
  enum class OnFailure { kTell, kIgnore };
  void SetGpuLimits(const Workload& workload, OnFailure on_failure);
  void ReadNodes();
  Result<engine::TaskKey> KeyOf(const TaskChoice& task) const;
  Result<engine::TaskKey> OpenKeyOf(const TaskChoice& task) const;

  // Constant after construction.
  Service& service_;
  engine::Engine& engine_;
  const DriverOptions options_;
  const CycleScope scope_;
  RunTimes run_times_;
  Promises promises_;
  Advisor advisor_;
  UsageBook usage_;

  // Driver thread.
  SchedView view_;
  std::unordered_map<AttemptId, Open> open_;
  std::unordered_set<AttemptId> touched_;  // whose tasks said something not committed yet
  std::set<std::pair<Time, WorkloadId>> deadlines_;
  std::unordered_map<WorkloadId, Time> deadline_of_;
  std::set<WorkloadId> newly_gated_;  // not looked at for what can never happen
  std::multimap<Time, engine::TaskKey> launch_again_;
  std::multimap<Time, StopOrder> stop_again_;
  std::multimap<Time, AttemptId> move_again_;  // of which it is not known whether they left
  std::optional<std::vector<engine::NodeState>> nodes_;
  std::set<AttemptId> away_;  // those of open_ that are off their GPUs
  std::vector<Moved> moved_;  // answers not committed yet
  bool decide_ = true;        // something changed since the last decision
  bool remark_ = false;       // somebody may wait for another reason than published
  std::optional<Time> turn_;  // when a reservation or a guard changes what may start
  Time remarked_at_;
  Time idle_look_at_;
  Time nodes_read_at_;
  std::optional<Time> retry_at_;  // after a failed commit

  std::atomic<SharedBoard> waiting_ = std::make_shared<const WaitBoard>();

  // What the engine holds on to; cut off before the driver goes.
  struct Ear {
    std::mutex mutex;
    Driver* driver = nullptr;
  };
  std::shared_ptr<Ear> ear_ = std::make_shared<Ear>();

  // Guarded by mutex_.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable settled_;
  Inbox inbox_;
  bool busy_ = false;
  bool stopping_ = false;

  std::unique_ptr<Subscription> subscription_;
  Hands hands_;
  Hands movers_;  // moving memory takes long: nobody else waits for it
  std::thread thread_;
};

}  // namespace yard::control
