#include "engine/local/local_engine.h"

#include <signal.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "engine/local/containers/follower.h"
#include "engine/local/event_loop.h"
#include "engine/local/gpu/gpu_parking.h"
#include "engine/local/gpu/gpus.h"
#include "engine/local/gpu/slices.h"
#include "engine/local/kept_output.h"
#include "engine/local/logs/log_watches.h"
#include "engine/local/native/cgroups.h"
#include "engine/local/native/native_runner.h"
#include "engine/local/node_probe.h"
#include "engine/local/tasks/ended_tasks.h"
#include "engine/local/tasks/found_tasks.h"
#include "engine/local/tasks/task_packer.h"
#include "engine/local/tasks/task_root.h"
#include "engine/local/tasks/task_table.h"
#include "engine/local/worker.h"

namespace yard::engine {
namespace {

constexpr const char* kNoFilter =
    "the kernel takes no device filter here; run the server as root, with control groups";

class LocalEngine final : public CompleteEngine {
 public:
  LocalEngine(LocalOptions options, ContainerSupport containers, std::unique_ptr<EventLoop> loop);
  ~LocalEngine() override;

  Status Open();
  Capabilities capabilities() const override;
  Result<std::vector<NodeState>> Nodes() override;
  Result<std::vector<TaskStatus>> Adopt(Listener listener) override;
  Status Launch(TaskSpec spec) override;
  Status Stop(const TaskKey& key, const StopOptions& options) override;
  Status SetGpuLimits(const TaskKey& key, std::span<const GpuGrant> gpus) override;
  Status Park(const TaskKey& key) override;
  Status Unpark(const TaskKey& key) override;
  std::vector<TaskStatus> StatusOf(std::span<const TaskKey> keys) override;
  std::vector<TaskUsage> UsageOf(std::span<const TaskKey> keys) override;
  void Forget(const TaskKey& key) override;
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
  std::vector<int> Processes() const;
  std::vector<int> ProcessesOf(const TaskKey& key) const;
  RunnerEvents EventsFor();
  Runner* RunnerFor(const TaskSpec& spec);
  Runner* RunnerOfFound(const TaskSpec& spec);
  Status Take(TaskSpec spec, Runner& runner);
  void Start(const KnownTaskPointer& task);
  Status AdoptFolder(const TaskFolder& folder, std::vector<KnownTaskPointer>& unended);
  void OnEnded(const TaskKey& key, const TaskEnd& end);
  TaskEnd FailedLaunch(const Error& error) const;
  Result<KnownTaskPointer> Running(const TaskKey& key) const;
  void Step(std::string_view step) const;

  const LocalOptions options_;
  const std::string host_;
  const std::unique_ptr<EventLoop> loop_;  // outlives all that is watched
  const KeptReader reader_;
  const Cgroups groups_;
  Gpus gpus_;
  Slices slices_;
  GpuParking parking_;
  TaskTable table_;
  std::unique_ptr<EndedTasks> ended_;
  std::optional<FoundTasks> found_;
  std::optional<TaskPacker> packer_;
  std::shared_ptr<LogWatches> watches_;
  const std::string containers_missing_;
  const std::string container_daemon_;
  std::unique_ptr<Runner> native_;
  std::unique_ptr<Runner> containers_;
  std::unique_ptr<Runner> follower_;  // of containers, where they cannot be run
};

LocalEngine::LocalEngine(LocalOptions options, ContainerSupport containers,
                         std::unique_ptr<EventLoop> loop)
    : options_(std::move(options)),
      host_(options_.host.empty() ? HostName() : options_.host),
      loop_(std::move(loop)),
      reader_(*loop_, options_.shim),
      groups_(Cgroups::Open(options_.cgroup, options_.device_filter)),
      gpus_(options_, host_),
      slices_(options_, gpus_),
      parking_({options_, groups_, gpus_, slices_}),
      table_(*loop_),
      containers_missing_(containers.runner ? std::string() : std::move(containers.missing)),
      container_daemon_(std::move(containers.daemon)),
      containers_(std::move(containers.runner)) {}

LocalEngine::~LocalEngine() {
  slices_.Follow({});
  native_.reset();
  containers_.reset();
  slices_.Listen(nullptr);
  follower_.reset();
  loop_->Flush();  // words under way still use the table
  groups_.Close();
}

Status LocalEngine::Open() {
  YARD_ASSIGN(watches_, LogWatches::Start(*loop_));
  YARD_ASSIGN(native_, MakeNativeRunner({options_, *loop_, groups_, gpus_, slices_}));
  YARD_ASSIGN(ended_, OpenEndedTasks(options_.root, EndedMode::kOwn));
  found_.emplace(options_.root, table_, *ended_,
                 [this](const TaskSpec& spec) { return RunnerOfFound(spec); });
  packer_.emplace(table_, *ended_, TaskPacker::Options{options_.pack_after, options_.at_step});
  native_->Begin(EventsFor(), slices_);
  if (containers_) {
    containers_->Begin(EventsFor(), slices_);
  } else {
    follower_ = containers::MakeFollower(*loop_, containers_missing_);
    follower_->Begin(EventsFor(), slices_);
  }
  if (const std::string why = capabilities().gpu_filter_missing; !why.empty())
    log::Warning("plain processes can open GPUs that they were not given", {{"why", why}});
  return {};
}

RunnerEvents LocalEngine::EventsFor() {
  return {
      [this](const TaskKey& key, std::string detail) { table_.SetDetail(key, std::move(detail)); },
      [this](const TaskKey& key, Time at) { table_.SetStarted(key, at); },
      [this](const TaskKey& key, const TaskEnd& end) { OnEnded(key, end); }};
}

Capabilities LocalEngine::capabilities() const {
  Capabilities can;
  can.name = "local";
  can.processes = true;
  can.containers = containers_ != nullptr;
  can.container_daemon = container_daemon_;
  can.containers_missing = containers_missing_;
  can.memory_limits = groups_.limits_memory();
  can.cpu_limits = groups_.limits_cpu();
  can.gpu_slices = slices_.works();
  can.gpu_filter = groups_.filters_devices();
  if (!can.gpu_filter && gpus_.nvml() != nullptr) can.gpu_filter_missing = kNoFilter;
  can.parking = parking_.missing().empty();
  can.parking_missing = parking_.missing();
  return can;
}

// Of tasks that have not ended.
std::vector<int> LocalEngine::Processes() const {
  std::vector<int> pids;
  for (const TaskStatus& status : table_.All()) {
    KnownTaskPointer task = table_.Find(status.key);
    if (!task || status.state == TaskState::kEnded) continue;
    for (const int pid : task->runner->ProcessesOf(task->view())) pids.push_back(pid);
  }
  return pids;
}

// None once it has ended.
std::vector<int> LocalEngine::ProcessesOf(const TaskKey& key) const {
  KnownTaskPointer task = table_.Find(key);
  if (!task || table_.StatusOf(key).state == TaskState::kEnded) return {};
  return task->runner->ProcessesOf(task->view());
}

Result<std::vector<NodeState>> LocalEngine::Nodes() {
  NodeState node = ProbeNode(host_);
  node.gpus = gpus_.Read([this] { return Processes(); });
  for (GpuState& gpu : node.gpus)
    gpu.isolation =
        slice::BestIsolation({.has_driver = !gpu.declared,
                              .library = slices_.works(),
                              .memory_limits = !gpu.mig && groups_.LimitsDevice(gpu.pci)});
  return std::vector<NodeState>{std::move(node)};
}

Runner* LocalEngine::RunnerFor(const TaskSpec& spec) {
  return spec.container ? containers_.get() : native_.get();
}

Runner* LocalEngine::RunnerOfFound(const TaskSpec& spec) {
  Runner* runner = RunnerFor(spec);
  return runner != nullptr ? runner : follower_.get();
}

Status LocalEngine::AdoptFolder(const TaskFolder& folder, std::vector<KnownTaskPointer>& unended) {
  YARD_ASSIGN(const bool packed, ended_->Has(folder.key()));
  if (packed) {
    RemovePacked(folder);
    return {};
  }
  Result<TaskSpec> spec = folder.ReadSpec();
  if (!spec) {
    folder.Remove();  // never taken, so nobody was told that it would run
    return {};
  }
  const TaskRecord record = folder.ReadRecord();
  Step("record");
  Runner* runner = RunnerOfFound(*spec);
  table_.Add({*std::move(spec), folder, runner}, StatusFrom(folder.key(), record));
  if (!record.end) unended.push_back(table_.Find(folder.key()));
  return {};
}

Result<std::vector<TaskStatus>> LocalEngine::Adopt(Listener listener) {
  std::vector<KnownTaskPointer> unended;
  for (const TaskFolder& folder : ListTaskFolders(options_.root))
    YARD_TRY(AdoptFolder(folder, unended));
  std::vector<TaskStatus> packed;
  YARD_TRY(ended_->EachState([&](const TaskKey& key, std::string_view state) {
    packed.push_back(StatusFrom(key, ParseTaskState(state)));
  }));
  for (const KnownTaskPointer& task : unended) task->runner->Adopt(task->view());
  slices_.Listen(listener.on_note);
  slices_.Follow({.processes = [this](const TaskKey& key) { return ProcessesOf(key); },
                  .kill = [this](const TaskKey& key) { (void)Stop(key, {SIGKILL, Micros(0)}); }});
  // What the runners found out so far is in the answer; from here on it is told.
  std::vector<TaskStatus> all = table_.Listen(std::move(listener), [this](const TaskKey& key) {
    if (KnownTaskPointer task = table_.Find(key)) watches_->Notify(task->folder.path());
    packer_->Add(key);
  });
  for (const TaskStatus& status : all)
    if (status.state == TaskState::kEnded) packer_->Add(status.key);
  std::ranges::move(packed, std::back_inserter(all));
  return all;
}

void LocalEngine::Step(std::string_view step) const {
  if (options_.at_step) options_.at_step(step);
}

TaskEnd LocalEngine::FailedLaunch(const Error& error) const {
  return {EndCause::kLaunchFailed, {}, {}, error.message, options_.clock->Now()};
}

Status LocalEngine::Launch(TaskSpec spec) {
  Runner* runner = RunnerFor(spec);
  if (runner == nullptr) return Fail(Code::kInvalid, containers_missing_);
  if (!spec.node.empty() && spec.node != host_)
    return Fail(Code::kInvalid, fmt::format("there is no node '{}' here", spec.node));
  const TaskKey key = spec.key;
  if (!table_.Reserve(key)) return {};
  const Result<bool> packed = ended_->Has(key);
  Status taken = packed ? Status() : Fail(packed.error());
  if (packed && !*packed) taken = Take(std::move(spec), *runner);
  table_.Settle(key);
  return taken;
}

Status LocalEngine::Take(TaskSpec spec, Runner& runner) {
  const TaskFolder folder(options_.root, spec.key);
  Status made = folder.Make();
  if (!made && made.error().code == Code::kConflict) {
    folder.Remove();  // of a launch that was never taken, or it would be in the table
    made = folder.Make();
  }
  YARD_TRY(made);
  Step("folder");
  Result<std::string> lines = runner.Plan({spec, folder});
  Step("plan");
  Status written = folder.WriteSpec(spec, lines ? *lines : std::string());
  if (!written) {
    folder.Remove();
    return written;
  }
  Step("spec");
  TaskStatus status;
  status.key = spec.key;
  status.state = TaskState::kStarting;
  table_.Add({std::move(spec), folder, &runner}, status);
  if (lines) {
    Start(table_.Find(status.key));
  } else {
    OnEnded(status.key, FailedLaunch(lines.error()));
  }
  return {};
}

void LocalEngine::Start(const KnownTaskPointer& task) {
  Status launched = task->runner->Launch(task->view());
  Step("launch");
  if (!launched) OnEnded(task->spec.key, FailedLaunch(launched.error()));
}

void LocalEngine::OnEnded(const TaskKey& key, const TaskEnd& end) {
  KnownTaskPointer task = table_.Find(key);
  if (!task || table_.StatusOf(key).state == TaskState::kEnded) return;
  const TaskRecord record = task->folder.ReadRecord();
  if (!record.end) {
    task->folder.RemoveScratch();
    if (Status kept = task->folder.WriteEnd(end); !kept)
      log::Error("the end of a task could not be recorded", {{"why", kept.error().message}});
  }
  table_.SetEnded(key, end);
}

Result<KnownTaskPointer> LocalEngine::Running(const TaskKey& key) const {
  YARD_ASSIGN(KnownTaskPointer task, found_->Find(key));
  if (found_->StatusOf(key).state != TaskState::kRunning)
    return Fail(Code::kPrecondition, "the task does not run");
  return task;
}

Status LocalEngine::Stop(const TaskKey& key, const StopOptions& options) {
  table_.AwaitSettled(key);  // an order that comes before its runner has the task would be lost
  YARD_ASSIGN(KnownTaskPointer task, found_->Find(key));
  if (found_->StatusOf(key).state == TaskState::kEnded) return {};
  return task->runner->Stop(task->view(), options);
}

Status LocalEngine::SetGpuLimits(const TaskKey& key, std::span<const GpuGrant> gpus) {
  YARD_ASSIGN(KnownTaskPointer task, found_->Find(key));
  if (found_->StatusOf(key).state == TaskState::kEnded) return {};
  TaskSpec spec = task->spec;
  for (std::size_t i = 0; i < spec.gpus.size() && i < gpus.size(); ++i)
    spec.gpus[i].limit = gpus[i].limit;
  groups_.SetDeviceLimits(spec, gpus_.AddressesOf(spec.gpus));
  return slices_.SetLimits(task->spec, gpus);
}

Status LocalEngine::Park(const TaskKey& key) {
  if (!parking_.missing().empty()) return Fail(Code::kUnsupported, parking_.missing());
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  return parking_.Park(*task);
}

Status LocalEngine::Unpark(const TaskKey& key) {
  if (!parking_.missing().empty()) return Fail(Code::kUnsupported, parking_.missing());
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  return parking_.Unpark(*task);
}

std::vector<TaskStatus> LocalEngine::StatusOf(std::span<const TaskKey> keys) {
  std::vector<TaskStatus> all;
  all.reserve(keys.size());
  for (const TaskKey& key : keys) all.push_back(found_->StatusOf(key));
  return all;
}

std::vector<TaskUsage> LocalEngine::UsageOf(std::span<const TaskKey> keys) {
  std::vector<TaskUsage> all;
  for (const TaskKey& key : keys) {
    all.emplace_back().key = key;
    Result<KnownTaskPointer> task = Running(key);
    if (task) all.back() = (*task)->runner->UsageOf((*task)->view());
  }
  return all;
}

void LocalEngine::Forget(const TaskKey& key) {
  const Result<KnownTaskPointer> task = found_->Find(key);
  if (!task || found_->StatusOf(key).state != TaskState::kEnded) return;
  (*task)->runner->Forget((*task)->view());
  table_.Remove(key);
  (*task)->folder.Remove();
  // Asked last: it may have been packed meanwhile.
  if (const Result<bool> packed = ended_->Has(key); packed && !*packed) return;
  if (Status gone = ended_->Remove(key); !gone)
    log::Warning("the record of a task could not be removed", {{"why", gone.error().message}});
}

Result<std::unique_ptr<Session>> LocalEngine::Exec(const TaskKey& key, const ExecSpec& spec) {
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  return task->runner->Exec(task->view(), spec);
}

Result<std::unique_ptr<Session>> LocalEngine::Attach(const TaskKey& key) {
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  return task->runner->Attach(task->view());
}

Result<LogChunk> LocalEngine::ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) {
  return found_->ReadLog(key, offset, limit);
}

Result<std::int64_t> LocalEngine::LogOffsetAt(const TaskKey& key, Time at) {
  return found_->LogOffsetAt(key, at);
}

Result<std::unique_ptr<LogWatch>> LocalEngine::WatchLog(const TaskKey& key,
                                                        std::function<void()> grown) {
  YARD_ASSIGN(KnownTaskPointer task, found_->Find(key));
  return LogWatches::Add(watches_, task->folder.path(), std::move(grown));
}

Result<UniqueFd> LocalEngine::ConnectPort(const TaskKey& key, std::uint16_t port) {
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  const TaskSpec& spec = task->view().spec;
  if (std::ranges::find(spec.ports, port) == spec.ports.end())
    return Fail(Code::kPrecondition, fmt::format("the work declares no port {}", port),
                "submit it with that port, for example --port");
  if (spec.container && spec.container->host_network)
    return Fail(Code::kPrecondition,
                "the container has the machine's network, whose ports are not "
                "its own",
                "submit it without hostNetwork");
  return task->runner->ConnectPort(task->view(), port);
}

Result<std::unique_ptr<Session>> LocalEngine::ReadFiles(const TaskKey& key,
                                                        const std::string& path) {
  YARD_ASSIGN(KnownTaskPointer task, found_->Find(key));
  if (found_->StatusOf(key).state == TaskState::kEnded)
    return reader_.Read(task->view(), "pack-kept", path);
  YARD_ASSIGN(task, Running(key));
  return task->runner->ReadFiles(task->view(), path);
}

Result<std::unique_ptr<Session>> LocalEngine::ListOutput(const TaskKey& key,
                                                         const std::string& path) {
  YARD_ASSIGN(KnownTaskPointer task, found_->Find(key));
  return reader_.Read(task->view(), "list-kept", path);
}

Result<std::unique_ptr<Session>> LocalEngine::WriteFiles(const TaskKey& key,
                                                         const std::string& path) {
  YARD_ASSIGN(KnownTaskPointer task, Running(key));
  return task->runner->WriteFiles(task->view(), path);
}

}  // namespace

Result<std::unique_ptr<Engine>> OpenLocalEngine(LocalOptions options, ContainerSupport containers) {
  YARD_TRY(MakeTaskRoot(options.root));
  YARD_ASSIGN(std::unique_ptr<EventLoop> loop, EventLoop::Start());
  auto engine =
      std::make_unique<LocalEngine>(std::move(options), std::move(containers), std::move(loop));
  YARD_TRY(engine->Open());
  return engine;
}

}  // namespace yard::engine
