// The tasks an engine knows, and the word about them in order.
//
// Invariants: a task's state only goes forward (starting, running, ended); each change is told to
// the listener once, in order, on the loop's thread. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "engine/engine.h"
#include "engine/local/event_loop.h"
#include "engine/local/runner.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine {

// A known task. Everything but the status stays as it is.
struct KnownTask {
  TaskSpec spec;
  TaskFolder folder;
  Runner* runner = nullptr;
  RunningTask view() const { return {spec, folder}; }
};
using KnownTaskPointer = std::shared_ptr<const KnownTask>;

class TaskTable {
 public:
  explicit TaskTable(EventLoop& loop) : loop_(loop) {}

  // From now on changes are told; the answer is how all stands just before. `on_ended` hears of
  // ends after the listener.
  std::vector<TaskStatus> Listen(Listener listener, std::function<void(const TaskKey&)> on_ended);

  // Takes the key: true for the caller who is to launch it. Others wait until the launch is
  // settled; then false, and `Knows` tells whether it was taken.
  bool Reserve(const TaskKey& key);
  void Settle(const TaskKey& key);
  // Waits while the key is being launched.
  void AwaitSettled(const TaskKey& key);

  void Add(KnownTask task, TaskStatus status);
  void Remove(const TaskKey& key);

  bool Knows(const TaskKey& key) const;
  KnownTaskPointer Find(const TaskKey& key) const;  // null: unknown
  TaskStatus StatusOf(const TaskKey& key) const;
  std::vector<TaskStatus> All() const;

  void SetDetail(const TaskKey& key, std::string detail);
  void SetStarted(const TaskKey& key, Time at);
  // False if it had ended already, or is not known.
  bool SetEnded(const TaskKey& key, const TaskEnd& end);

 private:
  struct Row {
    KnownTaskPointer task;
    TaskStatus status;
  };
  void Tell(const TaskStatus& status) YARD_REQUIRES(mutex_);
  std::vector<TaskStatus> AllLocked() const YARD_REQUIRES(mutex_);

  EventLoop& loop_;
  mutable Mutex mutex_;
  CondVar settled_;
  std::map<TaskKey, Row> rows_ YARD_GUARDED_BY(mutex_);
  std::vector<TaskKey> launching_ YARD_GUARDED_BY(mutex_);
  std::shared_ptr<Listener> listener_ YARD_GUARDED_BY(mutex_);
  std::function<void(const TaskKey&)> on_ended_;
};

}  // namespace yard::engine
