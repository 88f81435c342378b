// Simulated machines and the tasks on them. They outlive engines, as real tasks outlive a server.
//
// Time is the given clock's. With a clock that moves by hand, call Run after moving it; with the
// machine's clock, StartThread runs what is due. Listener calls come from Run.
// Thread-safe.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "engine/sim/script.h"
#include "engine/task.h"

namespace yard::engine {

// A node with so many CPUs (1000 each), memory and declared GPUs.
NodeState SimNode(const std::string& name, MilliCpu cpu, Mebibytes memory,
                  const std::vector<GpuState>& gpus = {});

class SimWorld {
 public:
  SimWorld(std::vector<NodeState> nodes, const Clock& clock, Pretence pretence = Pretence::kNone);
  ~SimWorld();
  SimWorld(const SimWorld&) = delete;
  SimWorld& operator=(const SimWorld&) = delete;

  void StartThread();
  // Does all that is due, and tells about it.
  void Run();
  // When something is due next.
  std::optional<Time> NextDue() const;
  // When the next task ends by itself.
  std::optional<Time> NextEnd() const;
  Pretence pretence() const { return pretence_; }

  // Faults. A node that is lost takes its tasks with it (kNodeLost) until it is restored.
  void RefuseLaunches(std::optional<Error> error);
  void LoseNode(const std::string& name, const std::string& why);
  void RestoreNode(const std::string& name);
  // An empty fault heals it.
  void BreakGpu(const std::string& uuid, const std::string& fault);

  // What engines use.
  std::vector<NodeState> nodes() const;
  // Nothing but the key unless the world pretends.
  TaskUsage UsageOf(const TaskKey& key) const;
  std::vector<TaskStatus> Listen(std::optional<Listener> listener);
  Status Launch(TaskSpec spec);
  Status Stop(const TaskKey& key, const StopOptions& options);
  TaskStatus StatusOf(const TaskKey& key) const;
  void Forget(const TaskKey& key);
  Result<LogChunk> ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) const;
  Result<std::int64_t> LogOffsetAt(const TaskKey& key, Time at) const;
  Result<std::uint64_t> WatchLog(const TaskKey& key, std::function<void()> grown);
  void UnwatchLog(std::uint64_t watch);

 private:
  struct Task {
    TaskSpec spec;
    TaskStatus status;
    std::vector<Action> script;
    std::size_t at = 0;
    Time due;
    Time ends_at;  // by itself
    std::optional<Time> kill_at;
    std::optional<Time> armed;  // its place in due_
    bool ignores_term = false;
    std::string log;
    std::vector<std::pair<Time, std::int64_t>> times;  // and offset
  };
  struct Watch {
    TaskKey key;
    std::function<void()> grown;
  };

  Task* FindLocked(const TaskKey& key);
  Status TakeLocked(TaskSpec spec);
  bool StepLocked(Task& task, Time now);
  void ArmLocked(Task& task);
  void ActLocked(Task& task, const Action& action);
  void EndLocked(Task& task, TaskEnd end);
  void TellLocked(const Task& task);
  std::optional<Time> DueLocked() const;
  void Deliver();
  void Loop();

  const Clock& clock_;
  const Pretence pretence_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<NodeState> nodes_;  // guarded by mutex_, as all below
  std::map<TaskKey, Task> tasks_;
  std::set<std::pair<Time, TaskKey>> due_;  // of the tasks that have not ended
  std::map<std::uint64_t, Watch> watches_;
  std::uint64_t next_watch_ = 1;
  std::optional<Error> refusal_;
  std::optional<Listener> listener_;
  std::vector<TaskStatus> outbox_;
  std::set<TaskKey> grown_;
  bool nodes_changed_ = false;
  bool stop_ = false;
  std::recursive_mutex delivering_;  // taken before mutex_
  std::thread thread_;
};

}  // namespace yard::engine
