// The shims of one runner: started, followed until they end, given stop orders.
//
// Thread-safe. `on_ended` runs on the loop's thread and must be quick.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "base/fd.h"
#include "base/mutex.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/local/event_loop.h"
#include "engine/local/runner.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine {

// A task whose shim is followed. Owns copies: a task may be forgotten while its shim ends.
struct ShimmedTask {
  TaskSpec spec;
  TaskFolder folder;
  UniqueFd pidfd;
  RunningTask view() const { return {spec, folder}; }
};
using ShimmedTaskPointer = std::shared_ptr<const ShimmedTask>;

// Tells that the task runs if its folder says so: the word of its start may have come before the
// engine knew the task.
void TellStarted(const RunnerEvents& events, const RunningTask& task);

class Shims {
 public:
  using OnEnded = std::function<void(const ShimmedTaskPointer&)>;

  // `program` is the path of gpuyard-shim. The loop must outlive this.
  Shims(EventLoop& loop, std::string program, OnEnded on_ended)
      : loop_(loop), program_(std::move(program)), on_ended_(std::move(on_ended)) {}
  ~Shims() { Close(); }
  Shims(const Shims&) = delete;
  Shims& operator=(const Shims&) = delete;

  // The shim keeps the descriptor `kept` open as long as it lives; -1: none.
  Status Start(const RunningTask& task, int kept = -1);
  // Follows a shim that was started elsewhere.
  Status Watch(const RunningTask& task, UniqueFd pidfd);
  // Follows the shim that has the task already; false if there is none. `found` is told its pid
  // before anybody can be told of its end.
  bool Follow(const RunningTask& task, const std::function<void(int pid)>& found);
  bool Follows(const TaskKey& key);
  // kUnavailable if the task has no shim that is followed right now; no error if its end is on
  // record, also where nobody has been told of it yet.
  Status Stop(const RunningTask& task, const StopOptions& options);
  // Follows nobody any more, and tells of no end once it has returned.
  void Close();

 private:
  void OnShimEnded(const ShimmedTaskPointer& task);
  Status SendStop(const TaskKey& key, const StopOptions& options);

  EventLoop& loop_;
  const std::string program_;
  const OnEnded on_ended_;
  Mutex mutex_;
  std::map<TaskKey, ShimmedTaskPointer> tasks_ YARD_GUARDED_BY(mutex_);
  bool closing_ YARD_GUARDED_BY(mutex_) = false;
};

}  // namespace yard::engine
