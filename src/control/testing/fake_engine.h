// An engine without machines, for tests: tasks start and end when the test says so.
//
// It keeps its tasks when a driver goes, as a real one would, and counts what it was asked, so
// that a test can see that nothing ran twice. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace yard::control {

class FakeEngine final : public engine::Engine,
                         public engine::TaskLogs,
                         public engine::GpuLimits,
                         public engine::Checkpoint {
 public:
  struct Task {
    engine::TaskSpec spec;
    engine::TaskStatus status;
    int stops = 0;
    engine::StopOptions stop;
    bool parked = false;
  };
  enum class OnLaunch { kWait, kQueue, kRun, kComplete };  // what a launched task does by itself
  enum class OnStop { kEnd, kIgnore };                     // what a stopped task does by itself

  explicit FakeEngine(const Clock& clock) : clock_(clock) {}

  // What the test decides.
  void AddNode(std::string name, int gpus, MilliCpu cpu = MilliCpu(64'000));
  void SetReady(const std::string& name, bool ready);
  void SetReadySilently(const std::string& name, bool ready);  // the listener is not told
  void Behave(OnLaunch launch, OnStop stop);
  void RefuseLaunches(std::optional<Error> error);
  void RefuseStops(std::optional<Error> error);
  void RefuseParks(std::optional<Error> error);
  void RefuseUnparks(std::optional<Error> error);
  void ForgetParking();  // its driver cannot do that
  // From now on every call fails, and tasks go on unheard; no error: it is back, and says so.
  void LoseContact(std::optional<Error> error);
  // The same, and nobody is told of either.
  void LoseContactSilently(std::optional<Error> error);
  // Called with the answer of each Nodes() known and not given yet.
  void BeforeNodesAnswer(std::function<void()> hook);
  // From now on every call is lost, as if the machine had stopped; until Revive.
  void Freeze();
  void FreezeAfter(int calls);
  void Revive();
  void Run(const engine::TaskKey& key);
  void End(const engine::TaskKey& key, EndCause cause, std::optional<std::int32_t> code);
  void Use(const engine::TaskUsage& usage);  // what its task says when asked
  void Say(const engine::TaskNote& note);
  void Lose(const engine::TaskKey& key);  // forgets it, as after a broken disk

  // What the test may see.
  std::vector<engine::TaskKey> Live() const;
  std::optional<Task> Find(const engine::TaskKey& key) const;
  std::size_t launches() const;  // tasks taken, each once
  std::size_t gangs() const;     // calls of LaunchGang
  std::size_t calls() const;     // of Launch and Stop
  std::size_t parks() const;     // of Park and Unpark, refused ones included
  std::size_t forgotten() const;

  engine::Capabilities capabilities() const override;
  Result<std::vector<engine::NodeState>> Nodes() override;
  Result<std::vector<engine::TaskStatus>> Adopt(engine::Listener listener) override;
  Status Launch(engine::TaskSpec spec) override;
  std::vector<Status> LaunchGang(std::vector<engine::TaskSpec> specs) override;
  Status Stop(const engine::TaskKey& key, const engine::StopOptions& options) override;
  Status SetGpuLimits(const engine::TaskKey& key, std::span<const engine::GpuGrant> gpus) override;
  Status Park(const engine::TaskKey& key) override;
  Status Unpark(const engine::TaskKey& key) override;
  std::vector<engine::TaskStatus> StatusOf(std::span<const engine::TaskKey> keys) override;
  std::vector<engine::TaskUsage> UsageOf(std::span<const engine::TaskKey> keys) override;
  void Forget(const engine::TaskKey& key) override;
  engine::TaskLogs* logs() override { return this; }
  engine::GpuLimits* gpu_limits() override { return this; }
  engine::Checkpoint* checkpoint() override { return this; }
  Result<engine::LogChunk> ReadLog(const engine::TaskKey& key, std::int64_t offset,
                                   std::size_t limit) override;
  Result<std::int64_t> LogOffsetAt(const engine::TaskKey& key, Time at) override;
  Result<std::unique_ptr<engine::LogWatch>> WatchLog(const engine::TaskKey& key,
                                                     std::function<void()> grown) override;

 private:
  // The lock must be held for all of these.
  bool Frozen();
  void Tell(const engine::TaskStatus& status) const;
  Result<Task*> ToMove(const engine::TaskKey& key, const std::optional<Error>& refusal);
  void RunLocked(Task& task);
  void EndLocked(Task& task, EndCause cause, std::optional<std::int32_t> code);

  const Clock& clock_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  engine::Listener listener_;
  std::vector<engine::NodeState> nodes_;
  std::map<engine::TaskKey, Task> tasks_;
  std::map<engine::TaskKey, engine::TaskUsage> usage_;
  OnLaunch on_launch_ = OnLaunch::kWait;
  OnStop on_stop_ = OnStop::kEnd;
  std::optional<Error> lost_;
  std::function<void()> before_nodes_answer_;
  std::optional<Error> refusal_;
  std::optional<Error> stop_refusal_;
  std::optional<Error> park_refusal_;
  std::optional<Error> unpark_refusal_;
  bool parking_ = true;
  bool frozen_ = false;
  std::optional<int> calls_left_;
  std::size_t launches_ = 0;
  std::size_t gangs_ = 0;
  std::size_t calls_ = 0;
  std::size_t parks_ = 0;
  std::size_t forgotten_ = 0;
};

}  // namespace yard::control
