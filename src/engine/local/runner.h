// One way of running tasks on this machine: as plain processes, or in containers. The local engine
// picks one per task and keeps everything that is the same for all: keys, folders, logs, order of
// events.
//
// What the engine does, so that a runner need not:
// - It calls Launch at most once per key and life, with the folder made and nothing in it, and
//   writes the spec between Plan and Launch. A failure of Plan or Launch becomes the task's end
//   (kLaunchFailed); after a restart it calls Adopt instead.
// - It passes on started and ended at most once per task, and ended after started. It keeps the
//   end in the folder (WriteEnd) if the runner or the shim has not.
// - It reads logs from the folder, in the format of shim/log_format.h: let the shim write them
//   (its `run.arg` may be any program), or use shim/log_writer.h.
//
// Thread-safe. Calls may block, except Begin. One runner lives as long as the engine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine {

// From the runner to the engine; from any thread, never while the runner holds a lock that its
// calls take.
struct RunnerEvents {
  std::function<void(const TaskKey&, std::string detail)> starting;  // "pulling image … 40 %"
  std::function<void(const TaskKey&, Time at)> started;
  std::function<void(const TaskKey&, const TaskEnd&)> ended;  // nothing of the task is left
};

// A task and where its files are. The spec is as it was launched.
struct RunningTask {
  const TaskSpec& spec;
  const TaskFolder& folder;
};

class Slices;

class Runner {
 public:
  virtual ~Runner() = default;

  // The slices outlive the runner.
  virtual void Begin(RunnerEvents events, Slices& slices) = 0;

  // Checks the spec and answers with the lines for the shim, if one is used. Must not change
  // anything outside the folder. The error's message becomes the message of the end.
  virtual Result<std::string> Plan(const RunningTask& task) = 0;
  // Starts it; what becomes of it is told by events. An error is the task's end.
  virtual Status Launch(const RunningTask& task) = 0;
  // Takes up a task of an earlier life that has no end in its folder: watches it if it runs, goes
  // on with a half-made launch, or tells its end by an event.
  virtual void Adopt(const RunningTask& task) = 0;

  virtual Status Stop(const RunningTask& task, const StopOptions& options) = 0;
  virtual TaskUsage UsageOf(const RunningTask& task) = 0;
  // All of its processes, as the machine numbers them, so that they are not taken for strangers.
  virtual std::vector<int> ProcessesOf(const RunningTask&) { return {}; }
  // The task has ended and the folder goes next.
  virtual void Forget(const RunningTask& task) = 0;

  virtual Result<std::unique_ptr<Session>> Exec(const RunningTask& task, const ExecSpec& spec) = 0;
  virtual Result<std::unique_ptr<Session>> Attach(const RunningTask& task) = 0;
  virtual Result<UniqueFd> ConnectPort(const RunningTask& task, std::uint16_t port) = 0;
  virtual Result<std::unique_ptr<Session>> ReadFiles(const RunningTask& task,
                                                     const std::string& path) = 0;
  virtual Result<std::unique_ptr<Session>> WriteFiles(const RunningTask& task,
                                                      const std::string& path) = 0;
};

}  // namespace yard::engine
