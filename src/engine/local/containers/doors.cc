#include "engine/local/containers/doors.h"

#include <poll.h>
#include <signal.h>

#include <utility>

#include <fmt/format.h>

#include "engine/local/containers/create.h"
#include "engine/local/containers/explain.h"
#include "engine/local/containers/image.h"
#include "engine/local/containers/port.h"
#include "engine/local/containers/session.h"
#include "engine/local/native/spawn.h"

namespace yard::engine::containers {
namespace {

constexpr int kPauseMs = 5;
constexpr int kPausesMax = 4000;

// The daemon notes the end of a command a moment after its output has ended.
Result<std::int32_t> WaitForExec(const Daemon& daemon, const std::string& exec) {
  for (int i = 0; i < kPausesMax; ++i) {
    YARD_ASSIGN(ExecFacts facts, daemon.InspectExec(exec));
    if (!facts.running) return facts.exit_code;
    ::poll(nullptr, 0, kPauseMs);
  }
  return Fail(Code::kUnavailable, "the container daemon does not tell how the command ended");
}

void HangUpExec(const Daemon& daemon, const std::string& exec) {
  Result<ExecFacts> facts = daemon.InspectExec(exec);
  if (!facts || !facts->running || facts->pid <= 1) return;
  const auto pid = static_cast<pid_t>(facts->pid);
  // It leads a session of its own, as the daemons start it.
  if (::kill(-pid, SIGHUP) != 0) ::kill(pid, SIGHUP);
}

Result<std::string> AbsoluteIn(const Daemon& daemon, const RunningTask& task,
                               const std::string& path) {
  if (path.starts_with('/')) return path;
  std::string base = task.spec.working_dir;
  if (base.empty()) {
    YARD_ASSIGN(std::string image, FullName(task.spec.container->image));
    YARD_ASSIGN(std::optional<ImageFacts> facts, daemon.FindImage(image));
    if (facts) base = facts->working_dir;
  }
  return fmt::format("{}/{}", base == "/" ? "" : base, path);
}

}  // namespace

Result<std::unique_ptr<Session>> ExecInside(const Daemon& daemon, const RunningTask& task,
                                            const ExecSpec& spec) {
  if (spec.command.empty()) return Fail(Code::kInvalid, "there is no command to run");
  ExecOrder order{.command = spec.command};
  order.tty = spec.tty;
  if (spec.tty) order.variables.push_back("TERM=xterm-256color");
  for (const Variable& variable : spec.variables)
    order.variables.push_back(fmt::format("{}={}", variable.name, variable.value));
  YARD_ASSIGN(std::string exec, daemon.CreateExec(ContainerName(task.spec.key), order));
  YARD_ASSIGN(UniqueFd stream, daemon.StartExec(exec, order));
  if (spec.tty) (void)daemon.ResizeExec(exec, spec.rows, spec.columns);
  StreamSpec session;
  session.stream = std::move(stream);
  session.framing = spec.tty ? Framing::kRaw : Framing::kFramed;
  session.input_end = InputEnd::kTyped;
  session.resize = [daemon, exec](std::uint16_t rows, std::uint16_t columns) {
    return daemon.ResizeExec(exec, rows, columns);
  };
  session.wait = [daemon, exec] { return WaitForExec(daemon, exec); };
  session.hang_up = [daemon, exec] { HangUpExec(daemon, exec); };
  return MakeStreamSession(std::move(session));
}

Result<std::unique_ptr<Session>> AttachTerminal(const Daemon& daemon, const RunningTask& task) {
  if (!task.spec.tty)
    return Fail(Code::kPrecondition, "the task has no terminal",
                "start it with one (--tty), or run a shell beside it");
  const std::string name = ContainerName(task.spec.key);
  StreamSpec session;
  YARD_ASSIGN(session.stream, daemon.Attach(name));
  session.resize = [daemon, name](std::uint16_t rows, std::uint16_t columns) {
    return daemon.Resize(name, rows, columns);
  };
  auto shim = std::make_shared<UniqueFd>(OpenPidfd(task.folder.ReadRecord().shim));
  session.wait = [shim, folder = task.folder]() -> Result<std::int32_t> {
    pollfd ended{shim->get(), POLLIN, 0};
    while (::poll(&ended, 1, -1) < 0) {
    }
    const TaskRecord record = folder.ReadRecord();
    if (!record.end) return Fail(Code::kUnavailable, "the task's end is not known");
    return record.end->exit_code ? *record.end->exit_code : 128 + record.end->signal.value_or(0);
  };
  return MakeStreamSession(std::move(session));
}

Result<UniqueFd> ConnectInside(const Daemon& daemon, const RunningTask& task, std::uint16_t port) {
  if (task.spec.container->host_network) return ConnectTo("127.0.0.1", port);
  const std::int32_t pid = task.folder.ReadRecord().pid;
  Result<UniqueFd> connected = ConnectBeside(pid, port);
  if (connected || connected.error().code != Code::kForbidden) return connected;
  YARD_ASSIGN(ContainerFacts facts, daemon.Inspect(ContainerName(task.spec.key)));
  if (facts.address.empty()) return connected;
  return ConnectTo(facts.address, port);
}

Result<std::unique_ptr<Session>> ReadInside(const Daemon& daemon, const RunningTask& task,
                                            const std::string& path) {
  YARD_ASSIGN(std::string whole, AbsoluteIn(daemon, task, path));
  return MakeReadSession(daemon, ContainerName(task.spec.key), std::move(whole));
}

Result<std::unique_ptr<Session>> WriteInside(const Daemon& daemon, const RunningTask& task,
                                             const std::string& path) {
  YARD_ASSIGN(std::string whole, AbsoluteIn(daemon, task, path));
  return MakeWriteSession(daemon, ContainerName(task.spec.key), std::move(whole));
}

}  // namespace yard::engine::containers
