// Commands beside a task, and its own terminal, as sessions.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/local/event_loop.h"
#include "engine/local/native/spawn.h"
#include "engine/local/tasks/task_folder.h"

namespace yard::engine {

// The process of a session, which may be killed from outside as long as it is not reaped.
class SessionProcess {
 public:
  explicit SessionProcess(Child child) : child_(std::move(child)) {}
  int pid() const { return child_.pid; }
  int pidfd() const { return child_.pidfd.get(); }
  void Kill(int signal);               // it and its process group
  Result<std::int32_t> WaitAndReap();  // blocks
  bool reaped() const;

 private:
  Child child_;
  mutable std::mutex mutex_;
  bool reaped_ = false;  // guarded by mutex_
};

// Starts `argv` with pipes, or a terminal, as its streams. When the session goes before the
// command, the command is hung up on and reaped by the loop.
struct SessionSpec {
  SpawnSpec spawn;
  bool tty = false;
  std::uint16_t rows = 24;
  std::uint16_t columns = 80;
};
struct StartedSession {
  std::unique_ptr<Session> session;
  std::shared_ptr<SessionProcess> process;
};
Result<StartedSession> StartSession(EventLoop& loop, SessionSpec spec);

// The task's terminal, through its shim.
Result<std::unique_ptr<Session>> AttachTerminal(const TaskFolder& folder);

}  // namespace yard::engine
