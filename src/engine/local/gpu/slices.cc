#include "engine/local/gpu/slices.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/strings.h"
#include "base/uuid.h"
#include "slice/protocol.h"

namespace yard::engine {
namespace {

constexpr std::int64_t kWhole = 1000;
constexpr std::uint64_t kKeptBack = 512ULL << 20;

bool IsPart(const GpuGrant& grant) {
  return grant.part.value < kWhole && !grant.uuid.starts_with("GPU-declared-");
}

// The driver's libraries are opened by name elsewhere; a slice needs their paths.
std::string FindLibrary(const std::string& name) {
  if (name.contains('/')) return ::access(name.c_str(), R_OK) == 0 ? name : std::string();
  constexpr std::array kFolders = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib",
                                   "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib"};
  for (const char* folder : kFolders) {
    std::string path = fmt::format("{}/{}", folder, name);
    if (::access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

std::string NameOf(const TaskKey& key) {
  return fmt::format("{}.{}", FormatUuid(key.attempt.value), key.rank);
}

std::uint64_t NumberOf(const TaskKey& key) {
  return std::hash<Uuid>{}(key.attempt.value) + static_cast<std::uint64_t>(key.rank);
}

std::uint64_t ToBytes(Mebibytes size) {
  return static_cast<std::uint64_t>(size.value) << 20;
}

std::uint64_t LimitOf(const GpuGrant& grant) {
  return ToBytes(std::max(grant.memory, grant.limit));
}

slice::ShareMode ModeOf(const GpuGrant& grant) {
  if (grant.weight <= 0) return slice::ShareMode::kNone;
  switch (grant.time) {
    case GpuTime::kFree:
      return slice::ShareMode::kNone;
    case GpuTime::kFair:
      return slice::ShareMode::kFair;
    case GpuTime::kStrict:
      return slice::ShareMode::kStrict;
    case GpuTime::kInteractive:
      return slice::ShareMode::kInteractive;
  }
  return slice::ShareMode::kNone;
}

// A task's title is "project/workload".
GpuOverLimit AnswerFor(const GpuOverLimitRules& rules, const TaskSpec& spec) {
  const auto own = rules.of_project.find(spec.title.substr(0, spec.title.find('/')));
  return own == rules.of_project.end() ? rules.usual : own->second;
}

// The other way round: whose slice it is.
std::optional<TaskKey> KeyOf(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::optional<Uuid> attempt = ParseUuid(name.substr(0, dot));
  const std::optional<std::int64_t> rank = ParseInt(name.substr(dot + 1));
  if (!attempt || !rank) return std::nullopt;
  return TaskKey{AttemptId{*attempt}, static_cast<std::int32_t>(*rank)};
}

// What people should know of it; empty: nothing.
std::string ReasonOf(slice::EventKind kind) {
  switch (kind) {
    case slice::EventKind::kOverLimit:
      return "GpuMemoryOverLimit";
    case slice::EventKind::kAboveRequest:
      return "GpuMemoryAboveRequest";
    case slice::EventKind::kGaveBack:
      return "GpuMemoryGivenBack";
    case slice::EventKind::kRefused:
      return "GpuMemoryRefused";
    case slice::EventKind::kWritten:
      return "GpuSliceWritten";
    case slice::EventKind::kJoined:
    case slice::EventKind::kLeft:
    case slice::EventKind::kAuditLost:
      return {};
  }
  return {};
}

// To the outside the task is there; only its slice was not found again after a restart.
Status Explain(Status done) {
  if (done || done.error().code != Code::kNotFound) return done;
  return Fail(Code::kUnavailable, "the task's part of the GPU is not under this server's control");
}

// Empty: the task does not set it.
std::string VariableOf(const TaskSpec& spec, const char* name) {
  auto found = std::ranges::find(spec.variables, name, &Variable::name);
  return found == spec.variables.end() ? std::string() : found->value;
}

std::string LibraryPathOf(const TaskSpec& spec) {
  return VariableOf(spec, "LD_LIBRARY_PATH");
}

std::vector<Variable> Renamed(const std::vector<slice::Variable>& from) {
  std::vector<Variable> variables;
  for (const slice::Variable& variable : from) variables.push_back({variable.name, variable.value});
  return variables;
}

}  // namespace

bool NeedsSlice(const TaskSpec& spec) {
  return std::ranges::any_of(spec.gpus, IsPart);
}

Slices::Slices(const LocalOptions& options, Gpus& gpus)
    : root_(options.root + "/slices"),
      over_limit_(options.gpu_over_limit),
      libraries_{options.slice_library, FindLibrary(options.cuda), FindLibrary(options.nvml)},
      gpus_(gpus) {
  const auto& [ours, cuda, nvml] = libraries_;
  if (gpus.nvml() == nullptr || nvml.empty() || cuda.empty()) {
    missing_ = "there is no NVIDIA driver";
  } else if (::access((ours + "/libcuda.so.1").c_str(), R_OK) != 0 ||
             ::access((ours + "/libgpuyard-vulkan.so.1").c_str(), R_OK) != 0) {
    missing_ = "the slice library is not installed";
  } else {
    std::error_code ignored;
    std::filesystem::create_directories(root_, ignored);
    keeper_ = std::make_unique<slice::Keeper>(
        slice::KeeperOptions{root_,
                             ours,
                             cuda,
                             nvml,
                             {},
                             kKeptBack,
                             options.root + "/gpu-contexts",
                             [this](const std::string& slice) { return ProcessesOf(slice); }},
        [this](const slice::Event& event) { OnEvent(event); });
  }
}

void Slices::Listen(std::function<void(const TaskNote&)> on_note) {
  std::lock_guard hold(mutex_);
  on_note_ = std::move(on_note);
}

void Slices::Follow(Tasks tasks) {
  std::lock_guard hold(tasks_mutex_);
  tasks_ = std::move(tasks);
}

std::vector<int> Slices::ProcessesOf(const std::string& slice) {
  const std::optional<TaskKey> key = KeyOf(slice);
  std::lock_guard hold(tasks_mutex_);
  return key && tasks_.processes ? tasks_.processes(*key) : std::vector<int>();
}

// What is done to a task that went past its limit, in words.
std::string Slices::Answer(const TaskKey& key) {
  GpuOverLimit answer = over_limit_.usual;
  {
    std::lock_guard hold(mutex_);
    if (auto found = answers_.find(key); found != answers_.end()) answer = found->second;
  }
  std::lock_guard hold(tasks_mutex_);
  switch (answer) {
    case GpuOverLimit::kWarn:
      return {};
    case GpuOverLimit::kRefuse:
      return "; it gets no more";
    case GpuOverLimit::kFreeze:
      if (tasks_.processes)
        for (const int pid : tasks_.processes(key)) ::kill(pid, SIGSTOP);
      return "; its processes were stopped (SIGSTOP): cancel it, or let them go on (SIGCONT)";
    case GpuOverLimit::kKill:
      if (tasks_.kill) tasks_.kill(key);
      return "; it was ended";
  }
  return {};
}

void Slices::OnEvent(const slice::Event& event) {
  const std::string reason = ReasonOf(event.kind);
  if (reason.empty()) return;
  const std::optional<TaskKey> key = KeyOf(event.slice);
  std::string text = event.text;
  if (key && event.kind == slice::EventKind::kOverLimit) text += Answer(*key);
  log::Warning("a GPU slice", {{"slice", event.slice}, {"text", text}});
  std::lock_guard hold(mutex_);
  if (key && on_note_) on_note_({*key, reason, text});
}

Status Slices::SetLimits(const TaskSpec& spec, std::span<const GpuGrant> gpus) {
  if (!Serves(spec))
    return Fail(Code::kUnsupported, "the task has no part of a GPU that is enforced");
  for (std::size_t i = 0; i < spec.gpus.size() && i < gpus.size(); ++i) {
    const slice::Keeper::Limits limits{ToBytes(spec.gpus[i].memory),
                                       std::max(ToBytes(spec.gpus[i].memory), LimitOf(gpus[i]))};
    YARD_TRY(keeper_->SetLimits(NameOf(spec.key), static_cast<int>(i), limits));
  }
  return {};
}

Status Slices::Park(const TaskSpec& spec, Micros lock_timeout) {
  return Explain(keeper_->Park(NameOf(spec.key), lock_timeout));
}

Status Slices::Unpark(const TaskSpec& spec, Micros lock_timeout) {
  return Explain(keeper_->Unpark(NameOf(spec.key), lock_timeout));
}

bool Slices::IsParked(const TaskSpec& spec) {
  const Result<slice::SliceState> state = keeper_->State(NameOf(spec.key));
  return state && state->parked;
}

Result<slice::SliceSpec> Slices::Describe(const TaskSpec& spec) {
  slice::SliceSpec wanted;
  if (AnswerFor(over_limit_, spec) == GpuOverLimit::kWarn)
    wanted.beside = slice::SliceSpec::Beside::kIsTold;
  wanted.name = NameOf(spec.key);
  wanted.number = NumberOf(spec.key);
  for (const GpuGrant& grant : spec.gpus) {
    const std::optional<slice::Uuid> uuid = slice::ParseUuid(grant.uuid);
    if (!uuid) return Fail(Code::kInvalid, fmt::format("'{}' is no GPU", grant.uuid));
    slice::GpuLimit limit;
    limit.uuid = *uuid;
    limit.physical = ToBytes(gpus_.MemoryOf(grant.uuid));
    limit.soft = ToBytes(grant.memory);
    limit.hard = LimitOf(grant);
    limit.share_milli = static_cast<std::uint32_t>(grant.weight) * 10;
    wanted.mode = ModeOf(grant);
    wanted.gpus.push_back(limit);
  }
  return wanted;
}

Result<std::string> Slices::Make(const TaskSpec& spec) {
  YARD_ASSIGN(const slice::SliceSpec wanted, Describe(spec));
  {
    std::lock_guard hold(mutex_);
    answers_[spec.key] = AnswerFor(over_limit_, spec);
  }
  return keeper_->Add(wanted);
}

Result<std::vector<Variable>> Slices::Add(const TaskSpec& spec) {
  YARD_ASSIGN(std::string folder, Make(spec));
  std::vector<slice::Variable> variables = slice::ProcessEnvironment(folder, LibraryPathOf(spec));
  std::ranges::copy(slice::LayerEnvironment(folder, VariableOf(spec, "XDG_DATA_DIRS")),
                    std::back_inserter(variables));
  return Renamed(variables);
}

Result<ContainerSlice> Slices::AddContainer(const TaskSpec& spec, const std::string& library_path,
                                            Driver driver) {
  YARD_ASSIGN(std::string folder, Make(spec));
  std::vector<std::string> files;
  if (driver == Driver::kMissing) files = {libraries_.real_cuda, libraries_.real_nvml};
  const std::string theirs = LibraryPathOf(spec);
  return ContainerSlice{slice::ContainerMounts(folder, libraries_, files),
                        Renamed(slice::ProcessEnvironment(slice::kContainerDir,
                                                          theirs.empty() ? library_path : theirs))};
}

int Slices::RegionOf(const TaskSpec& spec) {
  if (!Serves(spec)) return -1;
  return keeper_->RegionFd(NameOf(spec.key)).value_or(-1);
}

Status Slices::Adopt(const TaskSpec& spec, int shim) {
  if (!Serves(spec)) return {};
  YARD_ASSIGN(const slice::SliceSpec wanted, Describe(spec));
  {
    std::lock_guard hold(mutex_);
    answers_[spec.key] = AnswerFor(over_limit_, spec);
  }
  Result<std::string> folder = keeper_->Adopt(wanted, shim);
  return folder ? Status() : Fail(folder.error());
}

void Slices::Remove(const TaskSpec& spec) {
  if (!Serves(spec)) return;
  // The keeper does not know one of an earlier life, whose folder is there nevertheless.
  (void)keeper_->Remove(NameOf(spec.key));
  {
    std::lock_guard hold(mutex_);
    answers_.erase(spec.key);
  }
  std::error_code ignored;
  std::filesystem::remove_all(fmt::format("{}/{}", root_, NameOf(spec.key)), ignored);
}

}  // namespace yard::engine
