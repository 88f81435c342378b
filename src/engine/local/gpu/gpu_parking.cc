#include "engine/local/gpu/gpu_parking.h"

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "base/time.h"
#include "engine/local/gpu/copy_room.h"
#include "engine/local/native/memory_limit.h"

namespace yard::engine {
namespace {

// How long kernels that run may take to end before a process counts as not to be stopped.
constexpr Micros kLockTimeout = Seconds(30);

std::string WhyNone(const Gpus& gpus, const std::string& driver) {
  if (gpus.nvml() == nullptr || driver.empty()) return "there is no NVIDIA driver";
  const Status probed = slice::Checkpointer::Probe(driver);
  if (probed) return {};
  const auto& [code, message, details, fields] = probed.error();
  return details.empty() ? message : message + ": " + details;
}

std::optional<Mebibytes> Less(std::optional<Mebibytes> a, std::optional<Mebibytes> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

bool IsLimited(const KnownTask& task, const Cgroups& groups) {
  return task.spec.limits.memory > Mebibytes(0) && (task.spec.container || groups.limits_memory());
}

MemoryLimits LimitsOf(const KnownTask& task, int pid) {
  return MemoryLimits::Of(pid, GroupName(task.spec.key));
}

// The copy is gone; an earlier life may have raised the limit.
void LimitAsLaunched(const KnownTask& task, const Cgroups& groups) {
  if (!IsLimited(task, groups)) return;
  const std::vector<int> pids = task.runner->ProcessesOf(task.view());
  if (pids.empty() || LimitsOf(task, pids.front()).Raise(task.spec.limits.memory, Mebibytes(0)))
    return;
  log::Warning("a task that is back on its GPU keeps a higher limit of host memory",
               {{"task", task.spec.title}});
}

}  // namespace

GpuParking::GpuParking(const ParkingParts& parts)
    : parts_(parts), missing_(WhyNone(parts.gpus, parts.slices.driver())) {}

Status GpuParking::OpenDriver() {
  if (driver_) return {};
  YARD_ASSIGN(driver_, slice::Checkpointer::Open(parts_.slices.driver()));
  return {};
}

// It runs, so it has some. Not seeing them must not look as if none were away.
Result<std::vector<int>> GpuParking::ProcessesOf(const KnownTask& task) {
  std::vector<int> pids = task.runner->ProcessesOf(task.view());
  if (!pids.empty()) return pids;
  return Fail(Code::kUnavailable, "the task's processes are not found on this machine");
}

Result<GpuParking::Holders> GpuParking::HoldersOf(const KnownTask& task) {
  YARD_ASSIGN(const std::vector<int> pids, ProcessesOf(task));
  std::optional<Holders> holders = parts_.gpus.HoldersAmong(pids, task.spec.gpus);
  if (holders) return std::move(*holders);
  return Fail(Code::kUnavailable, "NVML does not tell what the task holds on its GPUs");
}

// One that an earlier life of the server left halfway comes back first.
Result<bool> GpuParking::IsAway(const KnownTask& task) {
  if (parts_.slices.Serves(task.spec)) {
    if (parts_.slices.IsParked(task.spec)) return true;
    YARD_TRY(parts_.slices.Unpark(task.spec, kLockTimeout));
    return false;
  }
  YARD_ASSIGN(const std::vector<int> pids, ProcessesOf(task));
  const std::vector<pid_t> away = driver_->AwayAmong(pids);
  if (away.empty()) return false;
  YARD_ASSIGN(const Holders holders, HoldersOf(task));
  if (holders.empty()) return true;
  YARD_TRY(driver_->Unpark(away, kLockTimeout));
  return false;
}

// Who holds nothing yet would take memory when its GPU has long been given to others.
Status GpuParking::MakeRoom(const KnownTask& task, const Holders& holders) {
  if (holders.empty())
    return Fail(Code::kPrecondition, "none of its processes holds memory of its GPUs",
                "suspend it without keeping its memory");
  CopyRoom room;
  for (const auto& [pid, held] : holders) room.held += held;
  MemoryLimits limits = LimitsOf(task, holders.begin()->first);
  room.available = Less(ReadAvailableMemory(parts_.options.memory_file), limits.RoomOutside());
  YARD_TRY(CheckCopyFits(room));
  if (!IsLimited(task, parts_.groups)) return {};
  room.limit = task.spec.limits.memory;
  if (limits.Own() && limits.Raise(*room.limit, NeededFor(room.held))) return {};
  room.used = task.runner->UsageOf(task.view()).memory;
  return CheckCopyFits(room);
}

Status GpuParking::Leave(const KnownTask& task, const Holders& holders) {
  if (parts_.slices.Serves(task.spec)) return parts_.slices.Park(task.spec, kLockTimeout);
  std::vector<pid_t> pids;
  for (const auto& [pid, held] : holders) pids.push_back(pid);
  return driver_->Park(pids, kLockTimeout);
}

Status GpuParking::Return(const KnownTask& task) {
  if (parts_.slices.Serves(task.spec)) return parts_.slices.Unpark(task.spec, kLockTimeout);
  YARD_TRY(OpenDriver());
  YARD_ASSIGN(const std::vector<int> pids, ProcessesOf(task));
  return driver_->Unpark(driver_->AwayAmong(pids), kLockTimeout);
}

Status GpuParking::TryToLeave(const KnownTask& task) {
  YARD_ASSIGN(const Holders holders, HoldersOf(task));
  YARD_TRY(MakeRoom(task, holders));
  const Status left = Leave(task, holders);
  if (left || left.error().code != Code::kUnavailable) return left;
  // It is known: the driver could not move it, and all of it is here.
  YARD_ASSIGN(const bool away, IsAway(task));
  if (away) return {};
  return Fail(Code::kPrecondition, left.error().message, left.error().details);
}

Status GpuParking::Park(const KnownTask& task) {
  std::lock_guard hold(mutex_);
  YARD_TRY(OpenDriver());
  YARD_ASSIGN(const bool away, IsAway(task));
  if (away) return {};
  const Status left = TryToLeave(task);
  if (!left) LimitAsLaunched(task, parts_.groups);
  return left;
}

Status GpuParking::Unpark(const KnownTask& task) {
  std::lock_guard hold(mutex_);
  const Status back = Return(task);
  if (back) LimitAsLaunched(task, parts_.groups);
  if (back || back.error().code != Code::kUnavailable) return back;
  // It is known if nothing of it is on its GPUs: others have what it needs.
  const Result<Holders> holders = HoldersOf(task);
  if (!holders || !holders->empty()) return back;
  return Fail(Code::kConflict, back.error().message, back.error().details);
}

}  // namespace yard::engine
