// What only some engines offer beside running tasks. engine::Engine has one accessor for each of
// these, which answers null where it is not offered; Offered makes a refusal of that.
//
// Thread-safe. Calls may block for a while, so make none of them on the reactor or an I/O thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/task.h"

namespace yard::engine {

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

class TaskLogs {
 public:
  static constexpr std::string_view kWhat = "logs";
  // At most `limit` bytes from `offset`; also after the end, until Forget.
  virtual Result<LogChunk> ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) = 0;
  // The offset of the first byte written at or after `at`.
  virtual Result<std::int64_t> LogOffsetAt(const TaskKey& key, Time at) = 0;
  // Calls `grown` soon after the log has grown or ended.
  virtual Result<std::unique_ptr<LogWatch>> WatchLog(const TaskKey& key,
                                                     std::function<void()> grown) = 0;

 protected:
  ~TaskLogs() = default;
};

class TaskExec {
 public:
  static constexpr std::string_view kWhat = "commands and terminals inside of tasks";
  virtual Result<std::unique_ptr<Session>> Exec(const TaskKey& key, const ExecSpec& spec) = 0;
  // The task's own standard streams; kPrecondition if it was not launched with a terminal.
  virtual Result<std::unique_ptr<Session>> Attach(const TaskKey& key) = 0;

 protected:
  ~TaskExec() = default;
};

class TaskFiles {
 public:
  static constexpr std::string_view kWhat = "transfers of files";
  // A tar stream of `path`, or into the folder `path`, as the task sees it. Of a task that has
  // ended, what is left can be read until Forget: its output folder, to which a relative path
  // belongs, and its mounts of kOutput.
  virtual Result<std::unique_ptr<Session>> ReadFiles(const TaskKey& key,
                                                     const std::string& path) = 0;
  virtual Result<std::unique_ptr<Session>> WriteFiles(const TaskKey& key,
                                                      const std::string& path) = 0;
  // The headers of the stream alone, of what ReadFiles reads after the end; also before the end.
  virtual Result<std::unique_ptr<Session>> ListOutput(const TaskKey& /*key*/,
                                                      const std::string& /*path*/) {
    return Fail(Code::kUnsupported, "outputs of work in its cluster are not listed",
                "look at the folder itself, on a file system that the nodes share");
  }

 protected:
  ~TaskFiles() = default;
};

class TaskPorts {
 public:
  static constexpr std::string_view kWhat = "connections to ports of tasks";
  // A connected stream to a port the task listens on; kUnavailable while nobody does.
  virtual Result<UniqueFd> ConnectPort(const TaskKey& key, std::uint16_t port) = 0;

 protected:
  ~TaskPorts() = default;
};

class GpuLimits {
 public:
  static constexpr std::string_view kWhat = "a change of a part of a GPU while it is used";
  // Applies the limits of `gpus` to the parts a running task has; the rest of them stays as it was
  // launched. Memory in use is not taken away.
  virtual Status SetGpuLimits(const TaskKey& key, std::span<const GpuGrant> gpus) = 0;

 protected:
  ~GpuLimits() = default;
};

class Checkpoint {
 public:
  static constexpr std::string_view kWhat = "taking work off its GPUs";
  // Takes the device memory of a running task to host memory, so that its GPUs are free, and puts
  // it back on the same GPUs. All of its processes or none; doing it again changes nothing. May
  // take seconds a gigabyte. Park fails with kPrecondition if host memory would not hold it or it
  // holds nothing on its GPUs, with kUnsupported if its memory cannot be moved; Unpark with
  // kConflict while others have what it needs. After kUnavailable its place is unknown: ask again.
  virtual Status Park(const TaskKey& key) = 0;
  virtual Status Unpark(const TaskKey& key) = 0;

 protected:
  ~Checkpoint() = default;
};

}  // namespace yard::engine
