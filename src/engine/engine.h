// The hands of Gpuyard: whatever runs tasks on machines. One folder per kind.
//
// Contract, checked for every engine by engine/testing/conformance.h:
// - Launch is idempotent by key: once a key was taken, launching it again changes nothing, also
//   after a restart of this process and while or after the task runs.
// - A task that was taken ends exactly once, and its end stays known until Forget.
// - Stop is idempotent (kUnavailable: try again). When a task has ended, nothing of it is left on
//   the machine: no process, mount, control group or GPU. Its log and output stay until Forget.
// - A failed launch is an end (kLaunchFailed) and not an error of Launch, which fails only when
//   the engine could not take the task at all (kUnavailable: try again; kInvalid: never).
//
// Thread-safe. Calls may block for a while (a fork, a request to a daemon), so never make one on
// the reactor or an I/O thread. Listener calls come from threads of the engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/task.h"

namespace yard::engine {

// What an engine can do at all. The service refuses work that needs more, with the reason.
struct Capabilities {
  std::string name;              // "local", "sim", …
  bool processes = false;        // plain processes
  bool containers = false;       // by `container_daemon`; else `containers_missing` says why
  std::string container_daemon;  // "podman 4.3.1 at /run/podman/podman.sock"
  std::string containers_missing;
  bool memory_limits = false;
  bool cpu_limits = false;
  bool gpu_slices = false;  // fractions are enforced; else they are only counted
  bool gpu_filter = false;  // plain processes reach only their GPUs; else `gpu_filter_missing`
  std::string gpu_filter_missing;
  bool parking = false;  // Park and Unpark; else `parking_missing` says why
  std::string parking_missing;
};

// Must be quick and not call back into the engine.
struct Listener {
  std::function<void(const TaskStatus&)> on_task;  // every change of state, in order per task
  std::function<void()> on_nodes;                  // Nodes() would answer differently now
  std::function<void(const TaskNote&)> on_note;
};

struct StopOptions {
  int signal = 15;
  Micros grace = Seconds(30);  // then it is killed
};

struct ExecSpec {
  std::vector<std::string> command;
  std::vector<Variable> variables;
  bool tty = false;
  std::uint16_t rows = 24;
  std::uint16_t columns = 80;
};

// A command running inside a task's surroundings, the task's own terminal, or a file transfer.
// Destroying it hangs up. The descriptors are non-blocking; they stay its own.
class Session {
 public:
  virtual ~Session() = default;
  virtual int input() const = 0;   // write here; -1 if it takes none
  virtual void CloseInput() = 0;   // end of input
  virtual int output() const = 0;  // read here until the end
  virtual int error() const = 0;   // -1 with a terminal: all comes by output
  virtual Status Resize(std::uint16_t rows, std::uint16_t columns) = 0;
  // Once output has ended: waits for the exit code (128 + signal if killed).
  virtual Result<std::int32_t> Wait() = 0;
  // Readable once Wait no longer blocks, for those who wait for many.
  virtual int ended() const = 0;
};

struct LogChunk {
  std::int64_t offset = 0;  // of the first byte; later than asked for if a part was dropped
  std::string bytes;
  std::int64_t next = 0;  // ask for this next
  bool at_end = false;    // the task has ended and nothing follows
};

class LogWatch {
 public:
  virtual ~LogWatch() = default;  // no call comes after it is gone
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual Capabilities capabilities() const = 0;
  virtual Result<std::vector<NodeState>> Nodes() = 0;
  // Finds again what an earlier life launched, then reports to the listener. Call once, first.
  virtual Result<std::vector<TaskStatus>> Adopt(Listener listener) = 0;

  virtual Status Launch(TaskSpec spec) = 0;
  virtual Status Stop(const TaskKey& key, const StopOptions& options) = 0;
  // Applies the limits of `gpus` to the parts a running task has; the rest of them stays as it was
  // launched. Memory in use is not taken away.
  virtual Status SetGpuLimits(const TaskKey& /*key*/, std::span<const GpuGrant> /*gpus*/) {
    return Fail(Code::kUnsupported, "this engine cannot change a part of a GPU while it is used");
  }
  // Takes the device memory of a running task to host memory, so that its GPUs are free, and puts
  // it back on the same GPUs. All of its processes or none; doing it again changes nothing. May
  // take seconds a gigabyte. Park fails with kPrecondition if host memory would not hold it or it
  // holds nothing on its GPUs, with kUnsupported if its memory cannot be moved; Unpark with
  // kConflict or kUnavailable while others have what it needs.
  virtual Status Park(const TaskKey& /*key*/) {
    return Fail(Code::kUnsupported, "this engine cannot take work off its GPUs");
  }
  virtual Status Unpark(const TaskKey& /*key*/) {
    return Fail(Code::kUnsupported, "this engine cannot take work off its GPUs");
  }
  // One answer per key, in order; kUnknown for those it does not know.
  virtual std::vector<TaskStatus> StatusOf(std::span<const TaskKey> keys) = 0;
  virtual std::vector<TaskUsage> UsageOf(std::span<const TaskKey> keys) = 0;
  // After the end is recorded: drops what is kept about the task, its log included.
  virtual void Forget(const TaskKey& key) = 0;

  virtual Result<std::unique_ptr<Session>> Exec(const TaskKey& key, const ExecSpec& spec) = 0;
  // The task's own standard streams; kPrecondition if it was not launched with a terminal.
  virtual Result<std::unique_ptr<Session>> Attach(const TaskKey& key) = 0;

  // At most `limit` bytes from `offset`; also after the end, until Forget.
  virtual Result<LogChunk> ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) = 0;
  // The offset of the first byte written at or after `at`.
  virtual Result<std::int64_t> LogOffsetAt(const TaskKey& key, Time at) = 0;
  // Calls `grown` soon after the log has grown or ended.
  virtual Result<std::unique_ptr<LogWatch>> WatchLog(const TaskKey& key,
                                                     std::function<void()> grown) = 0;

  // A connected stream to a port the task listens on; kUnavailable while nobody does.
  virtual Result<UniqueFd> ConnectPort(const TaskKey& key, std::uint16_t port) = 0;
  // A tar stream of `path`, or into the folder `path`, as the task sees it.
  virtual Result<std::unique_ptr<Session>> ReadFiles(const TaskKey& key,
                                                     const std::string& path) = 0;
  virtual Result<std::unique_ptr<Session>> WriteFiles(const TaskKey& key,
                                                      const std::string& path) = 0;
};

}  // namespace yard::engine
