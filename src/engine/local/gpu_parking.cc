#include "engine/local/gpu_parking.h"

#include <vector>

#include "base/time.h"
#include "engine/local/copy_room.h"

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
Status GpuParking::CheckRoom(const KnownTask& task, const Holders& holders) {
  if (holders.empty())
    return Fail(Code::kPrecondition, "none of its processes holds memory of its GPUs",
                "suspend it without keeping its memory");
  CopyRoom room;
  for (const auto& [pid, held] : holders) room.held += held;
  const Mebibytes limit = task.spec.limits.memory;
  const bool enforced = task.spec.container || parts_.groups.limits_memory();
  if (enforced && limit > Mebibytes(0)) room.limit = limit;
  if (room.limit) room.used = task.runner->UsageOf(task.view()).memory;
  room.available = ReadAvailableMemory(parts_.options.memory_file);
  return CheckCopyFits(room);
}

Status GpuParking::Park(const KnownTask& task) {
  std::lock_guard hold(mutex_);
  YARD_TRY(OpenDriver());
  YARD_ASSIGN(const bool away, IsAway(task));
  if (away) return {};
  YARD_ASSIGN(const Holders holders, HoldersOf(task));
  YARD_TRY(CheckRoom(task, holders));
  if (parts_.slices.Serves(task.spec)) return parts_.slices.Park(task.spec, kLockTimeout);
  std::vector<pid_t> pids;
  for (const auto& [pid, held] : holders) pids.push_back(pid);
  return driver_->Park(pids, kLockTimeout);
}

Status GpuParking::Unpark(const KnownTask& task) {
  std::lock_guard hold(mutex_);
  if (parts_.slices.Serves(task.spec)) return parts_.slices.Unpark(task.spec, kLockTimeout);
  YARD_TRY(OpenDriver());
  YARD_ASSIGN(const std::vector<int> pids, ProcessesOf(task));
  return driver_->Unpark(driver_->AwayAmong(pids), kLockTimeout);
}

}  // namespace yard::engine
