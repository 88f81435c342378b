// Runs the dispatcher in the server: one thread that takes what happened, lets the dispatcher step,
// has its calls of the engine made by other threads, and commits what it decided.
//
// Thread-safe; see control/live.h for its public calls.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/result.h"
#include "control/commands/scheduler_settings.h"
#include "control/dispatch/cycle.h"
#include "control/dispatch/dispatcher.h"
#include "control/dispatch/inbox.h"
#include "control/dispatch/orders.h"
#include "control/launch/spec.h"
#include "control/live.h"
#include "control/runtime/hands.h"
#include "control/sched/advisor.h"
#include "control/sched/run_times.h"
#include "control/service.h"
#include "control/usage/book.h"
#include "engine/engine.h"
#include "sched/policy.h"

namespace yard::control {

// Whether Start waits for the first answer of the engine.
enum class FirstContact { kAtStart, kLater };

struct DriverOptions {
  std::optional<ClusterId> cluster = {};  // none: the server's own
  FirstContact contact = FirstContact::kAtStart;
  // What other clusters may take from now on. Must be quick; called by a thread of the driver.
  std::function<void(const Passed&)> pass = {};
  sched::Policy policy = UsualPolicy();
  LaunchContext launch;
  std::size_t hands = 4;  // threads that make engine calls
  // At least so long from the end of one cycle to the next, so that under load what happens
  // meanwhile shares a transaction. After a quiet moment nothing waits.
  Micros pause{0};
  UsageOptions usage;
};

class Driver final : public Live {
 public:
  // Adopts what runs and starts. An engine that is out of contact is asked again until it answers;
  // its work waits and nothing of it is given up. Service and engine must outlive it.
  static Result<std::unique_ptr<Driver>> Start(Service& service, engine::Engine& engine,
                                               DriverOptions options);
  ~Driver() override;

  ClusterId cluster() const { return scope_.cluster; }
  // What other clusters have no place for.
  void TakePassed(PassedBy passed) { Tell({.passed = std::move(passed)}); }

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
  Result<std::unique_ptr<engine::Session>> ListOutput(const TaskChoice& task,
                                                      const std::string& path) override;
  Result<engine::TaskUsage> Usage(const TaskChoice& task) override;
  AttemptUse UseOf(AttemptId attempt) override { return usage_.UseOf(attempt); }
  UsageSeries UsageSeriesOf(AttemptId attempt) override { return usage_.SeriesOf(attempt); }
  Result<std::vector<LiveNode>> Nodes() override;
  engine::Capabilities Abilities(ClusterId) override { return engine_.capabilities(); }
  SharedBoard Waiting() override { return waiting_.load(); }
  Result<Why> Explain(WorkloadId workload) override { return advisor_.Explain(workload); }
  Result<Why> DryRun(const Workload& draft, DryRunDepth depth) override {
    return advisor_.DryRun(draft, depth);
  }
  Result<std::vector<QueueLine>> Queue() override { return advisor_.Queue(); }
  Result<std::vector<NthGpuLine>> NthGpuOrder() override { return advisor_.NthGpuOrder(); }

 private:
  Driver(Service& service, engine::Engine& engine, DriverOptions options, CycleScope scope);
  Status Begin();
  // kUnavailable: the engine is out of contact.
  Status Adopt();
  Status FindTasks();
  // Until the engine answers or the driver stops.
  void AdoptLater();
  Status ShowUnasked();
  void ShowLost(Time since, const Error& error);
  void Pass(const Passed& passed) const;

  // From other threads.
  void Tell(Inbox news);
  // News that the engine sends by itself.
  void Hear(Inbox news);
  // Its answer to a question. Its own news of its machines since then are newer.
  void TellAnswer(Inbox news, std::uint64_t words_before);
  std::uint64_t contact_words();
  engine::Listener MakeListener();

  // Driver thread.
  void Loop();
  std::optional<Inbox> TakeInbox();
  void RunCycle(Inbox inbox);
  void Commit(Cycle cycle, Time now);
  // The calls are made by the hands; what comes of them is told.
  void Make(std::vector<EngineOrder> orders);

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
  Dispatcher dispatcher_;
  bool adopted_ = false;
  std::optional<std::vector<engine::TaskStatus>> found_;  // while it is being adopted

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
  std::uint64_t contact_words_ = 0;  // how often the engine has spoken of its machines by itself
  bool busy_ = false;
  bool stopping_ = false;

  std::unique_ptr<Subscription> subscription_;
  Hands hands_;
  Hands movers_;  // moving memory takes long: nobody else waits for it
  std::thread thread_;
};

}  // namespace yard::control
