// Follows the jobs of live tasks and finds out what becomes of them.
//
// One thread looks for marks of the shims (cheap, often) and asks Slurm about all live jobs in one
// query: at most once a second, less often the longer nothing changes and the longer an answer
// takes. Ends that the shim noted count as they are, unless Slurm may know better (see ends.h).
//
// Thread-safe. Callbacks come from the follower's thread and must not call back into it.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/time.h"
#include "engine/slurm/cluster.h"
#include "engine/slurm/ends.h"
#include "engine/task.h"

namespace yard::engine::slurm {

struct FollowerEvents {
  std::function<void(const TaskKey&, std::string)> waiting;  // why, in words
  std::function<void(const TaskKey&, Time)> started;
  std::function<void(const TaskKey&, const TaskEnd&)> ended;
  std::function<void()> looked;  // after each round
};

class Follower {
 public:
  Follower(Cluster& cluster, FollowerEvents events);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  struct Task {
    TaskKey key;
    std::optional<JobId> job;
    std::optional<StopOptions> stop = {};
    bool started = false;
  };
  void Follow(const Task& task);
  // A stop order was given: the end is ours. Slurm kills the job if it is still there a while after
  // the grace.
  void Stopping(const TaskKey& key, const StopOptions& options);
  std::optional<JobId> JobOf(const TaskKey& key) const;
  // Rounds go on although no task lives: somebody waits for them.
  void SetWatched(std::size_t watchers);

 private:
  struct Followed {
    std::optional<JobId> job;
    Evidence evidence;
    int rounds_over = 0;  // in how many answers Slurm has called it ended or did not know it
    int rounds_waiting = 0;
    Time kill_at = {INT64_MAX};  // steady
  };

  void Run();
  void Look();
  void Ask();
  void TakeRecord(const TaskKey& key, const TaskRecord& record);
  bool TakeJob(const TaskKey& key, const std::optional<Job>& job);
  void Decide(const TaskKey& key);
  void TakeLate(const std::vector<TaskKey>& over);
  void KillOverdue();
  bool IsQuiet() const;

  Cluster& cluster_;
  const FollowerEvents events_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<TaskKey, Followed> live_;  // guarded by mutex_
  bool urgent_ = false;               // an end waits for Slurm's word; guarded by mutex_
  bool fresh_ = false;                // something new to ask about; guarded by mutex_
  std::size_t watchers_ = 0;          // guarded by mutex_
  bool stop_ = false;                 // guarded by mutex_
  Micros interval_ = Seconds(1);      // the thread's own, as all below
  Time asked_at_ = {0};
  Micros cost_{0};
  std::thread thread_;
};

}  // namespace yard::engine::slurm
