#include "engine/local/containers/container_runner.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/log.h"
#include "engine/local/containers/create.h"
#include "engine/local/containers/create_mapped.h"
#include "engine/local/containers/doors.h"
#include "engine/local/containers/explain.h"
#include "engine/local/containers/gang.h"
#include "engine/local/containers/gpu_access.h"
#include "engine/local/containers/id_ranges.h"
#include "engine/local/containers/id_space.h"
#include "engine/local/containers/image.h"
#include "engine/local/containers/images.h"
#include "engine/local/containers/launches.h"
#include "engine/local/containers/layout.h"
#include "engine/local/containers/processes.h"
#include "engine/local/event_loop.h"
#include "engine/local/gpu/gpus.h"
#include "engine/local/gpu/slices.h"
#include "engine/local/native/cgroups.h"
#include "engine/local/native/session.h"
#include "engine/local/native/usage.h"
#include "engine/local/tasks/shims.h"
#include "engine/local/worker.h"
#include "shim/format.h"

namespace yard::engine::containers {
namespace {

// How often the shim of one task may be lost before the task is given up.
constexpr int kShimsMax = 5;
// How often the network of a gang may go while a container is made for it.
constexpr int kNetworkTries = 5;

class ContainerRunner final : public Runner {
 public:
  ContainerRunner(const LocalOptions& options, const std::string& socket,
                  std::unique_ptr<EventLoop> loop);
  ~ContainerRunner() override;

  Status Open();
  void Begin(RunnerEvents events, Slices& slices) override {
    events_ = std::move(events);
    slices_ = &slices;
  }
  Result<std::string> Plan(const RunningTask& task) override;
  Status Launch(const RunningTask& task) override;
  void Adopt(const RunningTask& task) override;
  Status Stop(const RunningTask& task, const StopOptions& options) override;
  TaskUsage UsageOf(const RunningTask& task) override;
  std::vector<int> ProcessesOf(const RunningTask& task) override;
  void Forget(const RunningTask& task) override;
  Result<std::unique_ptr<Session>> Exec(const RunningTask& task, const ExecSpec& spec) override {
    return ExecInside(daemon_, task, spec);
  }
  Result<std::unique_ptr<Session>> Attach(const RunningTask& task) override {
    if (task.spec.tty) return AttachTerminal(task.folder);
    return yard::Fail(Code::kPrecondition, "the task has no terminal",
                      "start it with one (--tty), or run a shell beside it");
  }
  Result<UniqueFd> ConnectPort(const RunningTask& task, std::uint16_t port) override {
    return ConnectInside(daemon_, options_.shim, task, port);
  }
  Result<std::unique_ptr<Session>> ReadFiles(const RunningTask& task,
                                             const std::string& path) override {
    return ReadInside(daemon_, task, path);
  }
  Result<std::unique_ptr<Session>> WriteFiles(const RunningTask& task,
                                              const std::string& path) override {
    return WriteInside(daemon_, task, path);
  }

 private:
  void BeginLaunch(const RunningTask& task);
  Status MakeContainer(const RunningTask& task, const Launches::Handle& handle);
  Status Create(const RunningTask& task);
  Result<std::string> CreateOnce(const TaskSpec& spec, Surroundings& around) const;
  Status SetFolder(TaskSpec& spec) const;
  Status AddDriver(TaskSpec& spec, Surroundings& around);
  Status AddSlice(TaskSpec& spec, Surroundings& around);
  void AdoptSlice(const RunningTask& task, int shim);
  void Fail(const RunningTask& task, const Error& error);
  void OnShimEnded(const ShimmedTaskPointer& task);
  bool TellEnd(const RunningTask& task);
  int CountLostShim(const TaskKey& key);
  void GiveUp(const RunningTask& task);
  std::string ParentOf(const TaskSpec& spec) const;
  Result<IdRange> RangeOf(const TaskSpec& spec);
  Cgroups::Places PlacesOf(const RunningTask& task) const;

  const LocalOptions options_;
  const Daemon daemon_;
  const std::unique_ptr<EventLoop> loop_;
  const Cgroups groups_;
  Gpus gpus_;
  DaemonFacts facts_;  // set by Open
  IdRanges ranges_;
  RunnerEvents events_;
  Slices* slices_ = nullptr;  // set by Begin
  Images images_;
  std::mutex mutex_;
  std::map<TaskKey, int> lost_shims_;  // guarded by mutex_
  Shims shims_;
  Launches launches_;
  Worker worker_;  // last: its work uses the rest
};

ContainerRunner::ContainerRunner(const LocalOptions& options, const std::string& socket,
                                 std::unique_ptr<EventLoop> loop)
    : options_(options),
      daemon_(socket),
      loop_(std::move(loop)),
      groups_(Cgroups::Open(options.cgroup)),
      gpus_(options, options.host),
      ranges_(options.root + "/container-ids"),
      images_(daemon_),
      shims_(*loop_, options.shim, [this](const ShimmedTaskPointer& task) { OnShimEnded(task); }) {}

ContainerRunner::~ContainerRunner() {
  launches_.Close();
  shims_.Close();  // before the worker goes, which their ends are given to
  // The daemons make our folder in every hierarchy, also where we do not.
  std::error_code ignored;
  for (const auto& hierarchy : std::filesystem::directory_iterator("/sys/fs/cgroup", ignored))
    if (!options_.cgroup.empty()) ::rmdir((hierarchy.path() / options_.cgroup).c_str());
}

Status ContainerRunner::Open() {
  YARD_ASSIGN(facts_, daemon_.Facts());
  return {};
}

Result<IdRange> ContainerRunner::RangeOf(const TaskSpec& spec) {
  if (IdSpaceOf(spec, facts_) == IdSpace::kDaemons) return IdRange{};
  return ranges_.Of(ProjectOf(spec));
}

// Only a daemon that writes to the control groups itself, with our rights, takes a group of ours.
std::string ContainerRunner::ParentOf(const TaskSpec& spec) const {
  const bool possible = facts_.cgroups == CgroupDriver::kFiles && !facts_.rootless &&
                        groups_.tracks() && ::geteuid() == 0;
  return possible ? fmt::format("/{}/{}", options_.cgroup, GroupName(spec.key)) : std::string();
}

Result<std::string> ContainerRunner::Plan(const RunningTask& task) {
  YARD_TRY(FullName(task.spec.container->image));
  YARD_TRY(RequireCapabilities(task.spec, facts_));
  YARD_ASSIGN(IdRange range, RangeOf(task.spec));
  YARD_TRY(MakeOwnSources(task.spec, task.folder,
                          {{options_.root, options_.data_sets},
                           OwnerOnMachine(task.spec, IdSpaceOf(task.spec, facts_), range)}));
  const std::string parent = ParentOf(task.spec);
  std::string group_lines = parent.empty() ? std::string() : groups_.LinesFor(task.spec);
  if (!parent.empty() && NeedsSlice(task.spec))
    group_lines += groups_.DeviceLinesFor(task.spec, gpus_.AddressesOf(task.spec.gpus));
  return ShimLines(task.spec, task.folder,
                   {.root = options_.root,
                    .socket = daemon_.socket_path(),
                    .parent = parent,
                    .group_lines = std::move(group_lines),
                    .sync_ends = options_.sync_ends});
}

Status ContainerRunner::Launch(const RunningTask& task) {
  BeginLaunch(task);
  return {};
}

void ContainerRunner::BeginLaunch(const RunningTask& task) {
  const KnownCopy copy{task.spec, task.folder};
  launches_.Begin(
      task.spec.key,
      [this, copy](const Launches::Handle& handle) {
        Status made = MakeContainer(copy.view(), handle);
        if (made) made = shims_.Start(copy.view(), slices_->RegionOf(copy.spec));
        // A launch that this process cannot finish is taken up by the next.
        if (!made && !handle.IsClosing()) Fail(copy.view(), made.error());
      },
      [this, copy](const std::optional<StopOptions>& stop) {
        if (stop) (void)shims_.Stop(copy.view(), *stop);
      });
}

Status ContainerRunner::MakeContainer(const RunningTask& task, const Launches::Handle& handle) {
  // Another shim had it, so it was made.
  if (task.folder.ReadRecord().shim != 0) return {};
  YARD_TRY(images_.Ensure(*task.spec.container, [&](const std::string& sentence) {
    events_.starting(task.spec.key, sentence);
    return !handle.IsGivenUp();
  }));
  if (handle.IsGivenUp()) return yard::Fail(Code::kPrecondition, "given up");
  YARD_TRY(MountShared(task.spec, task.folder));
  YARD_TRY(Create(task));
  if (handle.IsGivenUp() && !handle.IsClosing()) return yard::Fail(Code::kPrecondition, "given up");
  return {};
}

Status ContainerRunner::Create(const RunningTask& task) {
  TaskSpec spec = task.spec;
  YARD_ASSIGN(spec.container->image, FullName(spec.container->image));
  for (Variable& variable : gpus_.VariablesFor(spec.gpus))
    spec.variables.push_back(std::move(variable));
  // The task's own settings come last and win.
  std::vector<Variable> usual = {{"GPUYARD_OUTPUT", kOutputTarget}, {"TMPDIR", kTmpTarget}};
  spec.variables.insert(spec.variables.begin(), usual.begin(), usual.end());
  YARD_ASSIGN(IdRange range, RangeOf(spec));
  Surroundings around{.daemon = facts_.kind,
                      .ids = IdSpaceOf(spec, facts_),
                      .range = range,
                      .root = options_.root,
                      .binds = BindsOf(spec, task.folder, {options_.root, options_.data_sets}),
                      .cgroup_parent = ParentOf(spec),
                      .gpus = FindGpuAccess(spec.gpus)};
  around.binds.push_back({options_.shim, kShimTarget, true});
  YARD_TRY(SetFolder(spec));
  YARD_TRY(AddDriver(spec, around));
  YARD_TRY(AddSlice(spec, around));
  Result<std::string> id = CreateOnce(spec, around);
  // Ranks that have ended take the network along.
  for (int i = 0; i < kNetworkTries && !id && LacksNetwork(id.error(), spec); ++i)
    id = CreateOnce(spec, around);
  // An earlier life made it and went before the shim was started.
  if (!id && id.error().code == Code::kConflict) return {};
  if (!id) return yard::Fail(id.error());
  return {};
}

Result<std::string> ContainerRunner::CreateOnce(const TaskSpec& spec, Surroundings& around) const {
  YARD_ASSIGN(around.network, JoinGang(daemon_, spec, around));
  if (around.ids == IdSpace::kMapped) return daemon_.CreateMapped(MappedCreateBody(spec, around));
  return daemon_.Create(ContainerName(spec.key), CreateBody(spec, around));
}

// Podman makes the image's own working directory if it is missing, as root of the machine and
// through links of the image. One that is named it only looks for.
Status ContainerRunner::SetFolder(TaskSpec& spec) const {
  if (!spec.working_dir.empty() || facts_.kind != DaemonKind::kPodman) return {};
  YARD_ASSIGN(std::optional<ImageFacts> image, daemon_.FindImage(spec.container->image));
  spec.working_dir = image && !image->working_dir.empty() ? image->working_dir : "/";
  return {};
}

// Device files are of no use without the driver's libraries.
Status ContainerRunner::AddDriver(TaskSpec& spec, Surroundings& around) {
  const std::string& cuda = slices_->driver();
  if (around.gpus.device_files.empty() || cuda.empty()) return {};
  const Stands stands = slices_->Serves(spec) ? Stands::kOurs : Stands::kDrivers;
  std::ranges::move(DriverBinds(cuda, stands, spec.mounts), std::back_inserter(around.binds));
  const std::string folder = cuda.substr(0, cuda.rfind('/'));
  YARD_ASSIGN(std::optional<ImageFacts> image, daemon_.FindImage(spec.container->image));
  auto path = std::ranges::find(spec.variables, "LD_LIBRARY_PATH", &Variable::name);
  if (path == spec.variables.end())
    path = spec.variables.insert(path,
                                 {"LD_LIBRARY_PATH", image ? image->library_path : std::string()});
  path->value += path->value.empty() ? folder : ":" + folder;
  return {};
}

// With a description of its GPUs the daemon brings the driver into the container.
Status ContainerRunner::AddSlice(TaskSpec& spec, Surroundings& around) {
  if (!slices_->Serves(spec)) return {};
  YARD_ASSIGN(std::optional<ImageFacts> image, daemon_.FindImage(spec.container->image));
  const auto driver = around.gpus.cdi.empty() ? Slices::Driver::kMissing : Slices::Driver::kComes;
  YARD_ASSIGN(ContainerSlice slice,
              slices_->AddContainer(spec, image ? image->library_path : std::string(), driver));
  for (slice::Mount& mount : slice.mounts)
    around.binds.push_back({std::move(mount.from), std::move(mount.to), true});
  // A path of the task's own is part of ours by now.
  std::erase_if(spec.variables, [&](const Variable& variable) {
    return std::ranges::find(slice.variables, variable.name, &Variable::name) !=
           slice.variables.end();
  });
  spec.variables.insert(spec.variables.end(), slice.variables.begin(), slice.variables.end());
  return {};
}

void ContainerRunner::Fail(const RunningTask& task, const Error& error) {
  slices_->Remove(task.spec);
  (void)daemon_.Remove(ContainerName(task.spec.key));
  LeaveGang(daemon_, task.spec);
  UnmountShared(task.spec, task.folder);
  TaskEnd end;
  end.cause = EndCause::kLaunchFailed;
  end.at = options_.clock->Now();
  end.message = error.code == Code::kPrecondition ? "it was stopped before it ran"
                                                  : Explain(error, task.spec).message;
  events_.ended(task.spec.key, end);
}

// What the folder says about the task's end; false if it has none.
bool ContainerRunner::TellEnd(const RunningTask& task) {
  const TaskRecord record = task.folder.ReadRecord();
  if (record.end) {
    slices_->Remove(task.spec);
    LeaveGang(daemon_, task.spec);
    if (record.started_at) events_.started(task.spec.key, *record.started_at);
    events_.ended(task.spec.key, *record.end);
    return true;
  }
  const std::string refusal = ReadFileOrEmpty(task.folder.File(shim::kRefusalName));
  if (refusal.empty()) return false;
  Fail(task, {Code::kInternal, refusal});
  return true;
}

void ContainerRunner::OnShimEnded(const ShimmedTaskPointer& task) {
  worker_.Add([this, task] {
    if (TellEnd(task->view())) return;
    // It was killed; the container goes on without it.
    if (CountLostShim(task->spec.key) <= kShimsMax)
      BeginLaunch(task->view());
    else
      GiveUp(task->view());
  });
}

int ContainerRunner::CountLostShim(const TaskKey& key) {
  std::lock_guard hold(mutex_);
  return ++lost_shims_[key];
}

void ContainerRunner::GiveUp(const RunningTask& task) {
  slices_->Remove(task.spec);
  (void)daemon_.Remove(ContainerName(task.spec.key));
  LeaveGang(daemon_, task.spec);
  UnmountShared(task.spec, task.folder);
  if (!ParentOf(task.spec).empty()) groups_.End(task.spec);
  TaskEnd end;
  end.cause = EndCause::kNodeLost;
  end.at = options_.clock->Now();
  end.message =
      "the watcher of this container (gpuyard-shim) was killed again and again; the container was "
      "removed, its exit code is not known";
  events_.ended(task.spec.key, end);
}

void ContainerRunner::Adopt(const RunningTask& task) {
  if (TellEnd(task)) return;
  if (shims_.Follow(task, [&](int pid) { AdoptSlice(task, pid); }))
    return TellStarted(events_, task);
  if (!TellEnd(task)) BeginLaunch(task);
}

void ContainerRunner::AdoptSlice(const RunningTask& task, int shim) {
  if (Status adopted = slices_->Adopt(task.spec, shim); !adopted)
    log::Warning("a GPU slice was not found again", {{"why", adopted.error().message}});
}

Status ContainerRunner::Stop(const RunningTask& task, const StopOptions& options) {
  if (launches_.Stop(task.spec.key, options)) return {};
  return shims_.Stop(task, options);
}

Cgroups::Places ContainerRunner::PlacesOf(const RunningTask& task) const {
  Cgroups::Places places = groups_.PlacesOf(task.spec);
  const std::string parent = ParentOf(task.spec);
  if (parent.empty()) return {};
  // The daemon's own group lies inside ours; its name is in the list of the first process.
  const std::string mount = places.tree.substr(0, places.tree.size() - parent.size());
  const std::int32_t pid = task.folder.ReadRecord().pid;
  std::ifstream in(fmt::format("/proc/{}/cgroup", pid));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("0::" + parent)) places.tree = mount + line.substr(3);
  return places;
}

TaskUsage ContainerRunner::UsageOf(const RunningTask& task) {
  const std::vector<int> pids = ProcessesOf(task);
  TaskUsage usage = ReadUse(PlacesOf(task), task.spec.key, pids);
  gpus_.AddUse(task.spec.gpus, pids, usage);
  struct stat about{};
  if (task.spec.tty && ::stat(task.folder.File(shim::kTtyName).c_str(), &about) == 0)
    usage.terminal_input_at = Time{about.st_mtim.tv_sec * 1'000'000 + about.st_mtim.tv_nsec / 1000};
  return usage;
}

std::vector<int> ContainerRunner::ProcessesOf(const RunningTask& task) {
  const Cgroups::Places places = PlacesOf(task);
  if (!places.tree.empty()) return ProcessesIn(places.tree);
  return ProcessesBeside(task.folder.ReadRecord());
}

void ContainerRunner::Forget(const RunningTask& task) {
  // Nothing below may be another machine's when the folder is removed.
  UnmountShared(task.spec, task.folder);
  // Whoever was to remove it may have found no daemon.
  if (Status removed = daemon_.Remove(ContainerName(task.spec.key)); !removed)
    log::Warning("a container may be left", {{"why", removed.error().message}});
  LeaveGang(daemon_, task.spec);
  std::lock_guard hold(mutex_);
  lost_shims_.erase(task.spec.key);
}

}  // namespace

Result<std::unique_ptr<Runner>> MakeContainerRunner(const LocalOptions& options,
                                                    const std::string& socket) {
  YARD_ASSIGN(std::unique_ptr<EventLoop> loop, EventLoop::Start());
  auto runner = std::make_unique<ContainerRunner>(options, socket, std::move(loop));
  YARD_TRY(runner->Open());
  return runner;
}

}  // namespace yard::engine::containers
