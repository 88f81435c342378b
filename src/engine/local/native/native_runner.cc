#include "engine/local/native/native_runner.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/log.h"
#include "engine/local/native/launcher.h"
#include "engine/local/native/listeners.h"
#include "engine/local/native/plan.h"
#include "engine/local/native/ports.h"
#include "engine/local/native/session.h"
#include "engine/local/native/shim_events.h"
#include "engine/local/native/spawn.h"
#include "engine/local/native/usage.h"
#include "engine/local/tasks/shims.h"
#include "engine/local/worker.h"
#include "shim/format.h"

namespace yard::engine {
namespace {

Result<UniqueFd> ConnectLoopback(std::uint16_t port) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) return fd;
  return Fail(Code::kUnavailable,
              fmt::format("nobody listens on port {}: {}", port, std::strerror(errno)));
}

// Bounds the wait for a killed process that the kernel cannot end, for example on a dead file
// system.
constexpr int kSessionEndMillis = 5000;
constexpr int kMostLooks = 1000;  // a millisecond apart

// Also for the children of their leaders, which were killed with them and die in their own time.
void AwaitEnds(const std::vector<std::shared_ptr<SessionProcess>>& processes) {
  for (const auto& process : processes) {
    pollfd ended{process->pidfd(), POLLIN, 0};
    while (::poll(&ended, 1, kSessionEndMillis) < 0 && errno == EINTR) {
    }
    for (int looks = 0; looks < kMostLooks && HasLiveSession(process->pid()); ++looks)
      ::poll(nullptr, 0, 1);
  }
}

class NativeRunner final : public Runner {
 public:
  explicit NativeRunner(const NativeParts& parts)
      : parts_(parts),
        launcher_(parts.options.shim),
        shims_(parts.loop, parts.options.shim,
               [this](const ShimmedTaskPointer& task) { OnShimEnded(task); }) {}
  ~NativeRunner() override;

  Status Open();
  void Begin(RunnerEvents events, Slices&) override;
  Result<std::string> Plan(const RunningTask& task) override;
  Status Launch(const RunningTask& task) override;
  void Adopt(const RunningTask& task) override;
  Status Stop(const RunningTask& task, const StopOptions& options) override;
  TaskUsage UsageOf(const RunningTask& task) override;
  std::vector<int> ProcessesOf(const RunningTask& task) override;
  void Forget(const RunningTask& task) override;
  Result<std::unique_ptr<Session>> Exec(const RunningTask& task, const ExecSpec& spec) override;
  Result<std::unique_ptr<Session>> Attach(const RunningTask& task) override;
  Result<UniqueFd> ConnectPort(const RunningTask& task, std::uint16_t port) override;
  Result<std::unique_ptr<Session>> ReadFiles(const RunningTask& task,
                                             const std::string& path) override;
  Result<std::unique_ptr<Session>> WriteFiles(const RunningTask& task,
                                              const std::string& path) override;

 private:
  Result<std::vector<ListeningSocket>> OwnListeners(const RunningTask& task, std::uint16_t port);
  Result<UniqueFd> ConnectOwn(const RunningTask& task, std::uint16_t port);

  using Sessions = std::vector<std::weak_ptr<SessionProcess>>;

  using Processes = std::vector<std::shared_ptr<SessionProcess>>;

  void OnShimEnded(const ShimmedTaskPointer& task);
  Processes EndSessions(const TaskKey& key);
  bool TellRecordedEnd(const RunningTask& task);
  void LaunchLate(const RunningTask& task);
  void AdoptSlice(const RunningTask& task, int shim);
  void TellEnd(const TaskKey& key, const TaskRecord& record);
  void CleanUpAfter(const RunningTask& task, const TaskRecord& record);
  Result<std::unique_ptr<Session>> Beside(const RunningTask& task, const char* verb,
                                          const ExecSpec& spec);

  const NativeParts parts_;
  Launcher launcher_;
  RunnerEvents events_;
  std::optional<ShimEvents> words_;
  std::mutex mutex_;
  PortPool ports_;
  std::map<TaskKey, Sessions> sessions_;  // of tasks whose shim is followed; guarded by mutex_
  Shims shims_;
  Worker worker_;  // last: its work uses the rest
};

NativeRunner::~NativeRunner() {
  words_.reset();
  shims_.Close();
}

Status NativeRunner::Open() {
  YARD_ASSIGN(words_, ShimEvents::Listen(parts_.loop, parts_.options.root,
                                         [this](const TaskKey& key, Time at) {
                                           if (events_.started) events_.started(key, at);
                                         }));
  return {};
}

// On the loop, where words of shims are heard already.
void NativeRunner::Begin(RunnerEvents events, Slices&) {
  parts_.loop.Post([this, &events] { events_ = std::move(events); });
  parts_.loop.Flush();
}

Result<std::string> NativeRunner::Plan(const RunningTask& task) {
  std::vector<Variable> variables = parts_.gpus.VariablesFor(task.spec.gpus);
  if (const std::optional<std::uint16_t> port = ports_.Take(task.spec.key))
    variables.push_back({kPortVariable, std::to_string(*port)});
  if (parts_.slices.Serves(task.spec)) {
    YARD_ASSIGN(std::vector<Variable> more, parts_.slices.Add(task.spec));
    variables.insert(variables.end(), more.begin(), more.end());
  }
  YARD_ASSIGN(std::string lines,
              PlanProcess(task.spec, task.folder,
                          {parts_.groups, parts_.options.root, parts_.options.data_sets,
                           parts_.options.path, std::move(variables), parts_.options.sync_ends,
                           parts_.options.root_tasks}));
  lines += parts_.groups.FilterLinesFor(
      task.spec, AccessTo(parts_.gpus.NodesOf(task.spec.gpus), parts_.options.proc));
  if (NeedsSlice(task.spec))
    lines += parts_.groups.DeviceLinesFor(task.spec, parts_.gpus.AddressesOf(task.spec.gpus));
  return lines;
}

Status NativeRunner::Launch(const RunningTask& task) {
  YARD_ASSIGN(Child child, launcher_.Start(task.folder, parts_.slices.RegionOf(task.spec)));
  return shims_.Watch(task, std::move(child.pidfd));
}

void NativeRunner::OnShimEnded(const ShimmedTaskPointer& task) {
  Processes sessions = EndSessions(task->spec.key);
  if (sessions.empty() && TellRecordedEnd(task->view())) return;
  // Sessions that were killed are not gone yet, or the shim left no record: it was killed, or
  // another shim had the task. Finding out takes time.
  worker_.Add([this, task, sessions = std::move(sessions)] {
    AwaitEnds(sessions);
    if (!TellRecordedEnd(task->view())) Adopt(task->view());
  });
}

// With a control group they are dead already.
NativeRunner::Processes NativeRunner::EndSessions(const TaskKey& key) {
  Processes ending;
  std::lock_guard hold(mutex_);
  auto found = sessions_.find(key);
  if (found == sessions_.end()) return ending;
  for (const auto& session : found->second)
    if (auto process = session.lock(); process && !process->reaped())
      ending.push_back(std::move(process));
  for (const auto& process : ending) process->Kill(SIGKILL);
  sessions_.erase(found);
  return ending;
}

// False if its folder has no end.
bool NativeRunner::TellRecordedEnd(const RunningTask& task) {
  const TaskRecord record = task.folder.ReadRecord();
  if (!record.end) return false;
  parts_.slices.Remove(task.spec);
  TellEnd(task.spec.key, record);
  return true;
}

void NativeRunner::TellEnd(const TaskKey& key, const TaskRecord& record) {
  if (record.started_at) events_.started(key, *record.started_at);
  events_.ended(key, *record.end);
}

// The server died between taking the task and starting it.
void NativeRunner::LaunchLate(const RunningTask& task) {
  Status made;
  if (parts_.slices.Serves(task.spec)) {
    if (auto variables = parts_.slices.Add(task.spec); !variables) made = Fail(variables.error());
  }
  if (made) made = Launch(task);
  if (!made)
    events_.ended(
        task.spec.key,
        {EndCause::kLaunchFailed, {}, {}, made.error().message, parts_.options.clock->Now()});
}

// Its shim has kept it.
void NativeRunner::AdoptSlice(const RunningTask& task, int shim) {
  if (Status adopted = parts_.slices.Adopt(task.spec, shim); !adopted)
    log::Warning("a GPU slice was not found again", {{"why", adopted.error().message}});
}

void NativeRunner::Adopt(const RunningTask& task) {
  TaskRecord record = task.folder.ReadRecord();
  if (record.end) return TellEnd(task.spec.key, record);
  if (shims_.Follow(task, [&](int pid) { AdoptSlice(task, pid); }))
    return TellStarted(events_, task);
  record = task.folder.ReadRecord();  // it may just have ended
  if (record.end) return TellEnd(task.spec.key, record);
  // Without its spec no shim could take it either.
  if (record.shim != 0 || !task.folder.ReadSpec()) return CleanUpAfter(task, record);
  LaunchLate(task);
}

// Nobody knows how the command would have ended, but nothing of it may stay.
void NativeRunner::CleanUpAfter(const RunningTask& task, const TaskRecord& record) {
  if (IsItself(record) && !parts_.groups.tracks())
    for (const int pid : SessionOf(record.pid)) ::kill(pid, SIGKILL);
  parts_.groups.End(task.spec);
  parts_.slices.Remove(task.spec);
  task.folder.RemoveScratch();
  if (record.started_at) events_.started(task.spec.key, *record.started_at);
  TaskEnd end{EndCause::kNodeLost,
              {},
              {},
              "the watcher of this task (gpuyard-shim) was killed or the machine went down; "
              "what was left of the task was killed too, its exit code is not known",
              parts_.options.clock->Now()};
  if (record.shim == 0) end.message = "its folder was removed; what was left of it was killed";
  if (record.shim < 0) {
    end.cause = EndCause::kLaunchFailed;
    end.message = "its folder could not be written to: see whether the disk is full";
  }
  events_.ended(task.spec.key, end);
}

void NativeRunner::Forget(const RunningTask& task) {
  parts_.slices.Remove(task.spec);
  ports_.GiveBack(task.spec.key);
}

Status NativeRunner::Stop(const RunningTask& task, const StopOptions& options) {
  return shims_.Stop(task, options);
}

TaskUsage NativeRunner::UsageOf(const RunningTask& task) {
  const std::vector<int> pids = ProcessesOf(task);
  TaskUsage usage = ReadUse(parts_.groups.PlacesOf(task.spec), task.spec.key, pids);
  parts_.gpus.AddUse(task.spec.gpus, pids, usage);
  struct stat about{};
  if (task.spec.tty && ::stat(task.folder.File(shim::kTtyName).c_str(), &about) == 0)
    usage.terminal_input_at = Time{about.st_mtim.tv_sec * 1'000'000 + about.st_mtim.tv_nsec / 1000};
  return usage;
}

std::vector<int> NativeRunner::ProcessesOf(const RunningTask& task) {
  const Cgroups::Places places = parts_.groups.PlacesOf(task.spec);
  if (!places.tree.empty()) return ProcessesIn(places.tree);
  return SessionOf(task.folder.ReadRecord().pid);
}

Result<std::unique_ptr<Session>> NativeRunner::Exec(const RunningTask& task, const ExecSpec& spec) {
  if (spec.command.empty()) return Fail(Code::kInvalid, "there is no command to run");
  return Beside(task, "exec", spec);
}

// `verb` of the shim, with the words of the command.
Result<std::unique_ptr<Session>> NativeRunner::Beside(const RunningTask& task, const char* verb,
                                                      const ExecSpec& spec) {
  SessionSpec session;
  session.spawn.argv = {parts_.options.shim, verb, task.folder.path()};
  session.spawn.argv.insert(session.spawn.argv.end(), spec.command.begin(), spec.command.end());
  if (spec.tty) session.spawn.envp.push_back("TERM=xterm-256color");
  for (const Variable& variable : spec.variables)
    session.spawn.envp.push_back(fmt::format("{}={}", variable.name, variable.value));
  session.tty = spec.tty;
  session.rows = spec.rows;
  session.columns = spec.columns;
  YARD_ASSIGN(StartedSession started, StartSession(parts_.loop, std::move(session)));
  std::lock_guard hold(mutex_);
  if (!shims_.Follows(task.spec.key)) {
    started.process->Kill(SIGKILL);  // the task has just ended
  } else {
    Sessions& sessions = sessions_[task.spec.key];
    std::erase_if(sessions, [](const auto& other) { return other.expired(); });
    sessions.push_back(started.process);
  }
  return std::move(started.session);
}

Result<std::unique_ptr<Session>> NativeRunner::Attach(const RunningTask& task) {
  if (!task.spec.tty)
    return Fail(Code::kPrecondition, "the task has no terminal",
                "start it with one (--tty), or run a shell beside it");
  return AttachTerminal(task.folder);
}

// The sockets that listen there, all of them the task's own. Without control groups, those of its
// account.
Result<std::vector<ListeningSocket>> NativeRunner::OwnListeners(const RunningTask& task,
                                                                std::uint16_t port) {
  std::vector<ListeningSocket> found = ListenersOn(port);
  if (found.empty())
    return Fail(Code::kUnavailable, fmt::format("nobody listens on port {}", port));
  const std::vector<int> pids = ProcessesOf(task);
  const std::uint32_t uid = task.spec.account ? task.spec.account->uid : ::geteuid();
  for (const ListeningSocket& listener : found) {
    const bool is_own =
        parts_.groups.tracks() ? HoldSocket(pids, listener.inode) : listener.uid == uid;
    if (!is_own)
      return Fail(Code::kUnavailable,
                  fmt::format("port {} of the machine is in use by something else", port),
                  "let the task listen on another port, and declare that one");
  }
  return found;
}

Result<UniqueFd> NativeRunner::ConnectOwn(const RunningTask& task, std::uint16_t port) {
  YARD_ASSIGN(std::vector<ListeningSocket> before, OwnListeners(task, port));
  YARD_ASSIGN(UniqueFd stream, ConnectLoopback(port));
  // One of them still listens, so that nobody else can have taken the call.
  YARD_ASSIGN(std::vector<ListeningSocket> after, OwnListeners(task, port));
  if (std::ranges::find_first_of(before, after) != before.end()) return stream;
  return Fail(Code::kUnavailable, fmt::format("port {} has just changed hands", port), "try again");
}

// The port that was asked for if a process of the task listens on it, else the one that the task
// was given instead.
Result<UniqueFd> NativeRunner::ConnectPort(const RunningTask& task, std::uint16_t port) {
  const std::vector<int> pids = ProcessesOf(task);
  const bool is_its_own = std::ranges::any_of(
      ListenersOn(port), [&](const ListeningSocket& one) { return HoldSocket(pids, one.inode); });
  const std::optional<std::uint16_t> given = is_its_own ? std::nullopt : GivenPort(pids);
  if (given && *given != port) {
    if (Result<UniqueFd> stream = ConnectOwn(task, *given)) return stream;
  }
  return ConnectOwn(task, port);
}

// By our own packer: a file that changes meanwhile does not break the archive, as it does tar's.
Result<std::unique_ptr<Session>> NativeRunner::ReadFiles(const RunningTask& task,
                                                         const std::string& path) {
  return Beside(task, "pack-beside", {.command = {path}});
}

Result<std::unique_ptr<Session>> NativeRunner::WriteFiles(const RunningTask& task,
                                                          const std::string& path) {
  return Exec(task, {.command = {"tar", "-xf", "-", "-C", path.empty() ? "." : path}});
}

}  // namespace

Result<std::unique_ptr<Runner>> MakeNativeRunner(const NativeParts& parts) {
  auto runner = std::make_unique<NativeRunner>(parts);
  YARD_TRY(runner->Open());
  return runner;
}

}  // namespace yard::engine
