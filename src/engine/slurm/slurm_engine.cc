#include "engine/slurm/slurm_engine.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/strings.h"
#include "engine/local/event_loop.h"
#include "engine/local/kept_output.h"
#include "engine/local/logs/log_reader.h"
#include "engine/local/tasks/task_table.h"
#include "engine/slurm/cluster.h"
#include "engine/slurm/data_courier.h"
#include "engine/slurm/follower.h"
#include "engine/slurm/log_files.h"
#include "engine/slurm/log_watches.h"
#include "engine/slurm/node_state.h"
#include "engine/slurm/plan.h"
#include "engine/slurm/step.h"

namespace yard::engine::slurm {
namespace {

class SlurmEngine final : public Engine,
                          public TaskLogs,
                          public TaskExec,
                          public TaskFiles,
                          public TaskPorts {
 public:
  SlurmEngine(std::unique_ptr<Cluster> cluster, std::unique_ptr<EventLoop> loop);
  ~SlurmEngine() override;

  Capabilities capabilities() const override;
  Result<std::vector<NodeState>> Nodes() override;
  Result<std::vector<TaskStatus>> Adopt(Listener listener) override;
  Status Launch(TaskSpec spec) override;
  Status Stop(const TaskKey& key, const StopOptions& options) override;
  std::vector<TaskStatus> StatusOf(std::span<const TaskKey> keys) override;
  std::vector<TaskUsage> UsageOf(std::span<const TaskKey> keys) override;
  void Forget(const TaskKey& key) override;
  TaskLogs* logs() override { return this; }
  TaskExec* exec() override { return this; }
  TaskFiles* files() override { return this; }
  TaskPorts* ports() override { return this; }

  Result<std::unique_ptr<Session>> Exec(const TaskKey& key, const ExecSpec& spec) override;
  Result<std::unique_ptr<Session>> Attach(const TaskKey& key) override;
  Result<LogChunk> ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) override;
  Result<std::int64_t> LogOffsetAt(const TaskKey& key, Time at) override;
  Result<std::unique_ptr<LogWatch>> WatchLog(const TaskKey& key,
                                             std::function<void()> grown) override;
  Result<UniqueFd> ConnectPort(const TaskKey& key, std::uint16_t port) override;
  Result<std::unique_ptr<Session>> ReadFiles(const TaskKey& key, const std::string& path) override;
  Result<std::unique_ptr<Session>> WriteFiles(const TaskKey& key, const std::string& path) override;
  Result<std::unique_ptr<Session>> ListOutput(const TaskKey& key, const std::string& path) override;

 private:
  Status Take(TaskSpec spec);
  void Remember(TaskSpec spec, const TaskRecord& record);
  void FailLaunch(const TaskKey& key, std::string why);
  void CompareLogs();
  OwnUse OwnGpus() const;
  Result<std::string> AddressOf(const std::string& node);
  Result<KnownTaskPointer> Known(const TaskKey& key) const;
  Result<KnownTaskPointer> Running(const TaskKey& key) const;
  Result<std::unique_ptr<Session>> ReadKept(const KnownTask& task, const char* verb,
                                            const std::string& path);

  const std::unique_ptr<EventLoop> loop_;
  const std::unique_ptr<Cluster> cluster_;
  TaskTable table_;
  std::atomic<bool> adopted_ = false;
  std::mutex mutex_;
  std::map<std::string, std::string> addresses_;  // of nodes; guarded by mutex_
  std::shared_ptr<LogWatches> watches_;
  std::unique_ptr<Follower> follower_;
  DataCourier courier_;
};

SlurmEngine::SlurmEngine(std::unique_ptr<Cluster> cluster, std::unique_ptr<EventLoop> loop)
    : loop_(std::move(loop)), cluster_(std::move(cluster)), table_(*loop_), courier_(*cluster_) {
  watches_ = std::make_shared<LogWatches>([this](std::size_t n) { follower_->SetWatched(n); });
  FollowerEvents events;
  events.waiting = [this](const TaskKey& key, std::string why) {
    table_.SetDetail(key, std::move(why));
  };
  events.started = [this](const TaskKey& key, Time at) { table_.SetStarted(key, at); };
  events.ended = [this](const TaskKey& key, const TaskEnd& end) { table_.SetEnded(key, end); };
  events.looked = [this] { CompareLogs(); };
  follower_ = std::make_unique<Follower>(*cluster_, std::move(events));
}

SlurmEngine::~SlurmEngine() {
  watches_->Close();
  follower_.reset();
  loop_->Flush();  // words under way still use the table
}

Capabilities SlurmEngine::capabilities() const {
  Capabilities can;
  can.name = "slurm";
  can.processes = true;
  can.containers_missing = "jobs of this Slurm cluster are plain processes";
  can.memory_limits = true;  // as far as the site's control groups keep them
  can.cpu_limits = true;
  can.parking_missing = "jobs of Slurm keep their GPUs until they end";
  return can;
}

OwnUse SlurmEngine::OwnGpus() const {
  OwnUse use;
  for (const TaskStatus& status : table_.All()) {
    KnownTaskPointer task = table_.Find(status.key);
    if (task && status.state == TaskState::kRunning)
      use[task->spec.node] += static_cast<std::int64_t>(task->spec.gpus.size());
  }
  return use;
}

Result<std::vector<NodeState>> SlurmEngine::Nodes() {
  YARD_ASSIGN(std::vector<Node> nodes, cluster_->Nodes());
  const OwnUse own = OwnGpus();
  std::vector<NodeState> states;
  std::lock_guard hold(mutex_);
  for (const Node& node : nodes) {
    states.push_back(StateOf(node, cluster_->options().gpu_memory, own));
    addresses_[node.name] = node.address;
  }
  return states;
}

void SlurmEngine::Remember(TaskSpec spec, const TaskRecord& record) {
  TaskStatus status;
  status.key = spec.key;
  status.started_at = record.started_at;
  status.end = record.end;
  status.state = record.end          ? TaskState::kEnded
                 : record.started_at ? TaskState::kRunning
                                     : TaskState::kStarting;
  const TaskFolder folder(cluster_->layout().root, spec.key);
  table_.Add({std::move(spec), folder, nullptr}, status);
}

Result<std::vector<TaskStatus>> SlurmEngine::Adopt(Listener listener) {
  YARD_TRY(cluster_->Prepare());
  YARD_ASSIGN(std::vector<FoundTask> found, cluster_->Find());
  std::vector<Follower::Task> live;
  for (FoundTask& task : found) {
    const TaskKey key = task.spec.key;
    TaskRecord record = task.record;
    // Slurm may know better about an end that was noted while nobody listened.
    const bool decided = task.end || !NeedsSlurmsWord({record.end, {}, task.stop});
    if (task.end) record.end = task.end;
    if (!decided) record.end.reset();
    if (!decided) live.push_back({key, task.job, task.stop, record.started_at.has_value()});
    Remember(std::move(task.spec), record);
  }
  std::vector<TaskStatus> all =
      table_.Listen(std::move(listener), [this](const TaskKey& key) { watches_->Notify(key); });
  for (const Follower::Task& task : live) follower_->Follow(task);
  adopted_ = true;
  return all;
}

void SlurmEngine::FailLaunch(const TaskKey& key, std::string why) {
  const TaskEnd end{.cause = EndCause::kLaunchFailed,
                    .message = std::move(why),
                    .at = cluster_->options().clock->Now()};
  if (Status kept = cluster_->NoteEnd(key, end); !kept)
    log::Error("the end of a task could not be recorded", {{"why", kept.error().message}});
  table_.SetEnded(key, end);
}

Status SlurmEngine::Launch(TaskSpec spec) {
  YARD_TRY(CheckTask(spec));
  YARD_TRY(cluster_->CheckAccount(spec));
  const TaskKey key = spec.key;
  if (!table_.Knows(key)) YARD_TRY(courier_.Ask(spec.mounts));
  if (!table_.Reserve(key)) return {};
  Status taken = Take(std::move(spec));
  table_.Settle(key);
  return taken;
}

Status SlurmEngine::Take(TaskSpec spec) {
  const TaskKey key = spec.key;
  YARD_ASSIGN(Submitted submitted, cluster_->Submit(spec));
  Remember(std::move(spec), {});
  if (!submitted.refusal.empty())
    FailLaunch(key, "Slurm does not take the job: " + submitted.refusal);
  else
    follower_->Follow({key, submitted.job});
  return {};
}

Result<KnownTaskPointer> SlurmEngine::Known(const TaskKey& key) const {
  KnownTaskPointer task = table_.Find(key);
  if (!task && !adopted_)
    return Fail(Code::kUnavailable, fmt::format("{} did not answer yet", cluster_->site().name()));
  if (!task) return Fail(Code::kNotFound, "this engine does not know the task");
  return task;
}

Result<KnownTaskPointer> SlurmEngine::Running(const TaskKey& key) const {
  YARD_ASSIGN(KnownTaskPointer task, Known(key));
  if (table_.StatusOf(key).state != TaskState::kRunning)
    return Fail(Code::kPrecondition, "the task does not run");
  return task;
}

Status SlurmEngine::Stop(const TaskKey& key, const StopOptions& options) {
  table_.AwaitSettled(key);
  YARD_ASSIGN(KnownTaskPointer task, Known(key));
  if (table_.StatusOf(key).state == TaskState::kEnded) return {};
  follower_->Stopping(key, options);
  return cluster_->Stop(key, follower_->JobOf(key), options);
}

std::vector<TaskStatus> SlurmEngine::StatusOf(std::span<const TaskKey> keys) {
  std::vector<TaskStatus> all;
  if (!adopted_) return all;  // it cannot say
  all.reserve(keys.size());
  for (const TaskKey& key : keys) all.push_back(table_.StatusOf(key));
  return all;
}

std::vector<TaskUsage> SlurmEngine::UsageOf(std::span<const TaskKey> keys) {
  std::vector<TaskUsage> all;
  for (const TaskKey& key : keys) all.emplace_back().key = key;
  return all;
}

void SlurmEngine::Forget(const TaskKey& key) {
  if (!table_.Knows(key) || table_.StatusOf(key).state != TaskState::kEnded) return;
  if (Status removed = cluster_->Remove(key); !removed)
    log::Warning("the folder of a task stays", {{"why", removed.error().message}});
  table_.Remove(key);
}

Result<std::unique_ptr<Session>> SlurmEngine::Exec(const TaskKey& key, const ExecSpec& spec) {
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  if (spec.command.empty()) return Fail(Code::kInvalid, "there is no command to run");
  const std::optional<JobId> job = follower_->JobOf(key);
  if (!job) return Fail(Code::kPrecondition, "Slurm does not know the task's job");
  return cluster_->site().Start(*loop_, StepBeside(cluster_->layout(), key, *job, spec));
}

Result<std::unique_ptr<Session>> SlurmEngine::Attach(const TaskKey& key) {
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  return Fail(Code::kPrecondition, "the task has no terminal", "run a shell beside it");
}

Result<LogChunk> SlurmEngine::ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) {
  YARD_ASSIGN(KnownTaskPointer task, Known(key));
  // Asked before the log is read: what was written before the end is then in the answer.
  const bool ended = table_.StatusOf(key).state == TaskState::kEnded;
  auto files = std::make_shared<SiteLogFiles>(*cluster_, key);
  YARD_ASSIGN(LogChunk chunk, LogReader(files, task->spec).Read(offset, limit));
  YARD_TRY(files->status());
  chunk.at_end = chunk.at_end && ended;
  return chunk;
}

Result<std::int64_t> SlurmEngine::LogOffsetAt(const TaskKey& key, Time at) {
  YARD_ASSIGN(KnownTaskPointer task, Known(key));
  auto files = std::make_shared<SiteLogFiles>(*cluster_, key);
  YARD_ASSIGN(std::int64_t offset, LogReader(files, task->spec).OffsetAt(at));
  YARD_TRY(files->status());
  return offset;
}

Result<std::unique_ptr<LogWatch>> SlurmEngine::WatchLog(const TaskKey& key,
                                                        std::function<void()> grown) {
  YARD_ASSIGN(KnownTaskPointer task, Known(key));
  return watches_->Add(key, std::move(grown));
}

void SlurmEngine::CompareLogs() {
  const std::vector<TaskKey> keys = watches_->Keys();
  if (keys.empty()) return;
  Result<std::map<TaskKey, std::int64_t>> sizes = cluster_->LogSizes(keys);
  if (sizes) watches_->Compare(*sizes);
}

Result<std::string> SlurmEngine::AddressOf(const std::string& node) {
  {
    std::lock_guard hold(mutex_);
    if (auto found = addresses_.find(node); found != addresses_.end()) return found->second;
  }
  YARD_ASSIGN(const std::vector<NodeState> seen, Nodes());
  std::lock_guard hold(mutex_);
  auto found = addresses_.find(node);
  if (found != addresses_.end()) return found->second;
  return Fail(Code::kUnavailable, fmt::format("Slurm knows no node '{}'", node));
}

Result<UniqueFd> SlurmEngine::ConnectPort(const TaskKey& key, std::uint16_t port) {
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  const TaskSpec& spec = task->spec;
  if (std::ranges::find(spec.ports, port) == spec.ports.end())
    return Fail(Code::kPrecondition, fmt::format("the work declares no port {}", port),
                "submit it with that port, for example --port");
  YARD_ASSIGN(std::string address, AddressOf(spec.node));
  return cluster_->site().Connect(*loop_, address, port);
}

Result<std::unique_ptr<Session>> SlurmEngine::ReadFiles(const TaskKey& key,
                                                        const std::string& path) {
  YARD_ASSIGN(KnownTaskPointer task, Known(key));
  if (table_.StatusOf(key).state == TaskState::kEnded) return ReadKept(*task, "pack-kept", path);
  return Exec(key, {.command = PackCommand(cluster_->layout(), path)});
}

Result<std::unique_ptr<Session>> SlurmEngine::ListOutput(const TaskKey& key,
                                                         const std::string& path) {
  YARD_ASSIGN(KnownTaskPointer task, Known(key));
  return ReadKept(*task, "list-kept", path);
}

// On the host where Slurm's programs are: the nodes may be busy, or gone.
Result<std::unique_ptr<Session>> SlurmEngine::ReadKept(const KnownTask& task, const char* verb,
                                                       const std::string& path) {
  YARD_ASSIGN(KeptPlace kept, KeptPlaceOf(task.spec, task.folder, path));
  const Layout& layout = cluster_->layout();
  return cluster_->site().Start(*loop_, {.command = {layout.Shim(), verb, task.folder.path(),
                                                     std::move(kept.place), std::move(kept.path)}});
}

Result<std::unique_ptr<Session>> SlurmEngine::WriteFiles(const TaskKey& key,
                                                         const std::string& path) {
  return Exec(key, {.command = {"tar", "-xf", "-", "-C", path.empty() ? "." : path}});
}

}  // namespace

Result<std::unique_ptr<Engine>> OpenSlurmEngine(SlurmOptions options, std::unique_ptr<Site> site) {
  YARD_ASSIGN(std::unique_ptr<EventLoop> loop, EventLoop::Start());
  YARD_ASSIGN(std::unique_ptr<Cluster> cluster, Cluster::Open(std::move(options), std::move(site)));
  return std::make_unique<SlurmEngine>(std::move(cluster), std::move(loop));
}

}  // namespace yard::engine::slurm
