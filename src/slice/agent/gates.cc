#include "slice/agent/gates.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

namespace yard::slice {
namespace {

constexpr std::uint64_t kGraceNs = 2'000'000'000;  // gates open by themselves after this
constexpr long kTickNs = 500'000;
constexpr long kDrainTickNs = 50'000;

std::uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void UpdateAny(Region& region) {
  std::uint32_t any = 0;
  for (unsigned i = 0; i < region.gpu_count; ++i) any |= region.gpu[i].gate != 0 ? 1U : 0U;
  region.any_gate = any;
}

void WakeAll(Gpu& gpu) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&gpu.gate), FUTEX_WAKE, INT_MAX, nullptr,
          nullptr, 0);
}

void OpenGate(Region& region, int gpu) {
  if (region.gpu[gpu].gate.exchange(0) == 0) return;
  UpdateAny(region);
  WakeAll(region.gpu[gpu]);
}

void CloseGate(Region& region, int gpu, std::uint32_t number) {
  region.gpu[gpu].gate_deadline_ns = NowNs() + kGraceNs;
  region.gpu[gpu].gate = number;
  region.any_gate = 1;
  WakeAll(region.gpu[gpu]);
}

// A slice has drained when each process that ever launched has answered the present closing.
Seen Look(const Region& region, int gpu) {
  Seen seen;
  const std::uint32_t number = region.gpu[gpu].gate;
  for (const Slot& slot : region.slot) {
    if (slot.owner == 0) continue;
    seen.wants = seen.wants || slot.active[gpu] != 0;
    seen.waits = seen.waits || slot.waiting != 0;
    if (number == 0 || slot.launches[gpu] == 0) continue;
    if (slot.drained[gpu] != number) seen.drained = false;
    seen.drained_ns = std::max(seen.drained_ns, slot.drained_ns[gpu].load());
  }
  return seen;
}

}  // namespace

Gates::~Gates() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Gates::Join(Region* region) {
  if (region->share_mode == ShareMode::kNone) return;
  std::lock_guard hold(mutex_);
  for (unsigned i = 0; i < region->gpu_count; ++i) {
    const Uuid& uuid = region->gpu[i].uuid;
    auto card = std::ranges::find(cards_, uuid, &std::pair<Uuid, Card>::first);
    if (card == cards_.end()) card = cards_.emplace(cards_.end(), uuid, Card(options_));
    const int tenant = card->second.planner.Add(region->gpu[i].share_milli, region->share_mode);
    if (tenant >= static_cast<int>(card->second.tenants.size()))
      card->second.tenants.resize(tenant + 1);
    card->second.tenants[tenant] = {region, static_cast<int>(i), region->gpu[i].gate};
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
}

void Gates::Leave(Region* region) {
  std::lock_guard hold(mutex_);
  for (auto& [uuid, card] : cards_) {
    for (std::size_t i = 0; i < card.tenants.size(); ++i) {
      if (card.tenants[i].region != region) continue;
      card.planner.Remove(static_cast<int>(i));
      OpenGate(*region, card.tenants[i].gpu);
      card.tenants[i].region = nullptr;
    }
  }
}

bool Gates::StepCard(Card& card, std::uint64_t now_ns) {
  std::vector<Seen> seen;
  seen.reserve(card.tenants.size());
  for (const Tenant& tenant : card.tenants)
    seen.push_back(tenant.region == nullptr ? Seen{} : Look(*tenant.region, tenant.gpu));
  const std::vector<bool>& open = card.planner.Step(now_ns, seen);
  const std::uint32_t brief = card.planner.Brief() ? 1 : 0;
  for (std::size_t i = 0; i < card.tenants.size(); ++i) {
    Tenant& tenant = card.tenants[i];
    if (tenant.region == nullptr) continue;
    Gpu& gpu = tenant.region->gpu[tenant.gpu];
    gpu.lease_ns = card.planner.Charged(static_cast<int>(i));
    if (gpu.brief != brief) gpu.brief = brief;
    if (open[i]) {
      OpenGate(*tenant.region, tenant.gpu);
    } else if (gpu.gate == 0) {
      CloseGate(*tenant.region, tenant.gpu, ++tenant.closings);
    } else {
      gpu.gate_deadline_ns = now_ns + kGraceNs;
    }
  }
  return card.planner.Draining();
}

bool Gates::StepAll(std::uint64_t now_ns) {
  std::lock_guard hold(mutex_);
  bool draining = false;
  for (auto& [uuid, card] : cards_) draining = StepCard(card, now_ns) || draining;
  return draining;
}

void Gates::Run() {
  prctl(PR_SET_TIMERSLACK, 1);
  while (!stop_) {
    const timespec pause{0, StepAll(NowNs()) ? kDrainTickNs : kTickNs};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace yard::slice
