// The audit half of the keeper: what NVML sees against what was reserved.
#include <algorithm>
#include <chrono>

#include "slice/agent/keeper.h"

namespace yard::slice {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kTolerated = 64ULL << 20;
constexpr int kTolerantRounds = 3;

}  // namespace

// A slice that NVML sees far above its limit three times in a row has got round the library.
// Returns what it holds.
std::uint64_t Keeper::CheckLimit(Seat& seat, int gpu, const UseByPid& use) {
  std::uint64_t seen = 0;
  for (const Member& member : seat.slice.members())
    if (const auto found = use.find(member.pid); found != use.end()) seen += found->second;
  const bool over = seen > seat.slice.region()->gpu[gpu].hard + kTolerated;
  int& rounds = seat.over_limit_rounds[gpu];
  rounds = over ? rounds + 1 : 0;
  if (rounds == kTolerantRounds)
    on_event_({EventKind::kOverLimit, seat.slice.name(), std::to_string(seen) + " bytes in use"});
  return seen;
}

// Calls `visit(seat, gpu)` for every slice's part of the device.
template <class Visit>
void Keeper::ForEachPart(const NvmlDevice& device, Visit visit) {
  const auto uuid = ParseUuid(device.uuid);
  if (!uuid) return;
  std::lock_guard hold(mutex_);
  for (const auto& seat : seats_) {
    const Region& region = *seat->slice.region();
    for (unsigned i = 0; i < region.gpu_count; ++i)
      if (region.gpu[i].uuid == *uuid) visit(*seat, static_cast<int>(i));
  }
}

void Keeper::AuditDevice(const Nvml& nvml, const NvmlDevice& device) {
  ForEachPart(device, [](Seat& seat, int gpu) { seat.slice.BeginAudit(gpu); });
  const auto use = nvml.Processes(device);
  if (!use) return;
  std::uint64_t ours = 0, all = 0;
  for (const auto& [pid, bytes] : *use) all += bytes;
  ForEachPart(device, [&](Seat& seat, int gpu) {
    seat.slice.EndAudit(gpu, *use);
    ours += CheckLimit(seat, gpu, *use);
  });
  std::lock_guard hold(mutex_);
  if (const auto uuid = ParseUuid(device.uuid))
    foreign_[FormatUuid(*uuid)] = all - std::min(all, ours);
}

void Keeper::AuditNow() {
  audit_soon_.notify_all();
}

// Once a second; ten times a second for half a second after a process joined, when contexts appear.
void Keeper::AuditLoop() {
  const auto nvml = Nvml::Open(options_.real_nvml);
  if (!nvml) {
    on_event_({EventKind::kAuditLost, "", nvml.error().message});
    return;
  }
  const auto devices = nvml->Devices();
  while (!stop_) {
    for (const NvmlDevice& device : devices) AuditDevice(*nvml, device);
    const bool hurried = hurry_ > 0;
    if (hurried) hurry_--;
    std::unique_lock hold(audit_mutex_);
    audit_soon_.wait_for(hold, hurried ? 100ms : 1000ms);
  }
}

}  // namespace yard::slice
