// Launches on their way: each has a thread, because getting an image may take long.
//
// Thread-safe. The destructor tells all to give up and waits for them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "engine/engine.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine::containers {

class Launches {
 public:
  // What one launch looks at while it goes on.
  class Handle {
   public:
    Handle(Launches& launches, TaskKey key) : launches_(launches), key_(key) {}
    // Stop was called, or this process ends.
    bool IsGivenUp() const;
    bool IsClosing() const;

   private:
    Launches& launches_;
    TaskKey key_;
  };
  using Work = std::function<void(const Handle&)>;
  // The stop order that came meanwhile, if any.
  using After = std::function<void(const std::optional<StopOptions>&)>;

  ~Launches() { Close(); }

  // Runs `work`, then `after`, once an earlier launch of the same task has ended. Never in a
  // callback of the other.
  void Begin(const TaskKey& key, Work work, After after);
  // False if no launch of this task is on its way.
  bool Stop(const TaskKey& key, const StopOptions& options);
  void Close();

 private:
  struct Launch {
    std::optional<StopOptions> stop;
    std::thread thread;
  };
  void End(const TaskKey& key, const After& after);

  Mutex mutex_;
  CondVar changed_;
  std::map<TaskKey, Launch> launches_ YARD_GUARDED_BY(mutex_);
  std::vector<std::thread> ended_ YARD_GUARDED_BY(mutex_);
  bool closing_ YARD_GUARDED_BY(mutex_) = false;
};

}  // namespace yard::engine::containers
