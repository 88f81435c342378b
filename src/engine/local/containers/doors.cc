#include "engine/local/containers/doors.h"

#include <signal.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/local/containers/create.h"
#include "engine/local/containers/layout.h"
#include "engine/local/containers/port.h"
#include "engine/local/containers/session.h"
#include "engine/local/native/usage.h"

namespace yard::engine::containers {
namespace {

// So many times in a row a command may run whose process is not there: about 20 seconds.
constexpr int kMostUnseen = 100;

bool IsSeen(std::int64_t pid) {
  return pid > 1 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

// How a command ended. The daemon notes it a moment after the output has ended and the process is
// gone, or never.
class ExecEnding {
 public:
  ExecEnding(Daemon daemon, std::string exec)
      : daemon_(std::move(daemon)), exec_(std::move(exec)) {}

  std::optional<Result<std::int32_t>> operator()() {
    Result<ExecFacts> facts = daemon_.InspectExec(exec_);
    // The container has gone, and everything in it was killed.
    if (!facts && facts.error().code == Code::kNotFound) return 128 + SIGKILL;
    if (!facts) return Fail(facts.error());
    if (!facts->running) return facts->exit_code;
    unseen_ = IsSeen(facts->pid) ? 0 : unseen_ + 1;
    if (unseen_ <= kMostUnseen) return std::nullopt;
    return Fail(Code::kUnavailable, "the container daemon does not tell how the command ended");
  }

 private:
  Daemon daemon_;
  std::string exec_;
  int unseen_ = 0;
};

pid_t ParentOf(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(in, text);
  const std::size_t name_end = text.rfind(')');
  pid_t parent = 0;
  char state = 0;
  if (name_end != std::string::npos)
    std::istringstream(text.substr(name_end + 1)) >> state >> parent;
  return parent;
}

// A command without a terminal leads no group, so all its descendants are told one by one.
void HangUpTree(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    auto pid = ParseInt(entry.path().filename().native());
    if (pid) children.emplace(ParentOf(static_cast<pid_t>(*pid)), static_cast<pid_t>(*pid));
  }
  std::vector<pid_t> tree = {root};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    auto [first, last] = children.equal_range(tree[i]);
    for (auto child = first; child != last; ++child) tree.push_back(child->second);
  }
  for (pid_t pid : tree) ::kill(pid, SIGHUP);
}

void HangUpExec(const Daemon& daemon, const std::string& exec) {
  Result<ExecFacts> facts = daemon.InspectExec(exec);
  if (facts && facts->running && facts->pid > 1) HangUpTree(static_cast<pid_t>(facts->pid));
}

}  // namespace

Result<std::unique_ptr<Session>> ExecInside(const Daemon& daemon, const RunningTask& task,
                                            const ExecSpec& spec) {
  if (spec.command.empty()) return Fail(Code::kInvalid, "there is no command to run");
  ExecOrder order{.command = spec.command};
  order.tty = spec.tty;
  order.rows = spec.rows;
  order.columns = spec.columns;
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
  session.ending = ExecEnding(daemon, exec);
  session.hang_up = [daemon, exec] { HangUpExec(daemon, exec); };
  return MakeStreamSession(std::move(session));
}

Result<UniqueFd> ConnectInside(const Daemon& daemon, const std::string& shim,
                               const RunningTask& task, std::uint16_t port) {
  if (task.spec.container->host_network) return ConnectTo("127.0.0.1", port);
  const TaskRecord record = task.folder.ReadRecord();
  Result<UniqueFd> connected = ConnectBeside(record, port);
  if (connected || connected.error().code != Code::kForbidden) return connected;
  connected = ConnectByProgram(shim, record.pid, port);
  // Looked at after the connection: the number was the task's own all the time.
  if (connected && !IsItself(record))
    return Fail(Code::kUnavailable, "the task's first process is gone");
  if (connected || connected.error().code != Code::kForbidden) return connected;
  YARD_ASSIGN(ContainerFacts facts, daemon.Inspect(ContainerName(task.spec.key)));
  if (facts.address.empty()) return connected;
  return ConnectTo(facts.address, port);
}

// By our own program among the container's processes. The daemon's way with archives would do it as
// root of the machine, which then loads libraries of the image.
Result<std::unique_ptr<Session>> ReadInside(const Daemon& daemon, const RunningTask& task,
                                            const std::string& path) {
  return ExecInside(daemon, task, {.command = {kShimTarget, "pack", path}});
}

Result<std::unique_ptr<Session>> WriteInside(const Daemon& daemon, const RunningTask& task,
                                             const std::string& path) {
  return ExecInside(daemon, task, {.command = {kShimTarget, "unpack", path}});
}

}  // namespace yard::engine::containers
