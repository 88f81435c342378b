#include "sched/backfill/headroom.h"

#include <algorithm>

#include "sched/filter/admit.h"

namespace yard::sched {
namespace {

constexpr std::int64_t kBoundless = std::int64_t{1} << 60;

std::array<std::int64_t, kResourceCount> LeftOf(const Resources& bound, const Resources& held,
                                                const Resources& cost) {
  std::array<std::int64_t, kResourceCount> left{};
  for (std::size_t r = 0; r < left.size(); ++r) {
    const std::int64_t most = bound.Values()[r];
    const bool binds = most != kUnlimited && cost.Values()[r] > 0;
    left[r] = binds ? most - held.Values()[r] - cost.Values()[r] : kBoundless;
  }
  return left;
}

bool Binds(const std::array<std::int64_t, kResourceCount>& left) {
  return std::ranges::any_of(left, [](std::int64_t amount) { return amount < kBoundless; });
}

}  // namespace

Headroom::Headroom(Core& core, const Booking& planned)
    : planned_(planned), user_left_(kBoundless), borrows_(!IsGuaranteed(core, planned)) {
  if (!borrows_) KeepGuarantee(core);
  for (QueueIndex queue : core.ledger().Path(planned.queue)) {
    const QueueShare& rules = core.RulesOf(queue, planned.pool);
    const QueueBalance& balance = core.ledger().At(queue, planned.pool);
    const Amounts limit = LeftOf(rules.limit, balance.allocated, planned.cost);
    if (Binds(limit)) bounds_.push_back({queue, Preemptibility::kPreemptible, limit});
    if (planned.preemptibility == Preemptibility::kPreemptible) continue;
    const Amounts quota = LeftOf(rules.quota, balance.fixed, planned.cost);
    if (Binds(quota)) bounds_.push_back({queue, Preemptibility::kNonPreemptible, quota});
  }
  if (planned.user == kNone<UserIndex> || planned.cost.gpu.value == 0) return;
  const User& user = core.snapshot().users[static_cast<std::size_t>(planned.user.value)];
  if (user.max_gpu_milli == kUnlimited) return;
  user_left_ =
      user.max_gpu_milli - core.ledger().UserGpu(planned.user).value - planned.cost.gpu.value;
}

// A colleague who outlasts the start must not turn it into one that borrows.
void Headroom::KeepGuarantee(Core& core) {
  const std::vector<Resources>& guaranteed = core.Guaranteed(planned_.pool);
  for (QueueIndex queue : core.ledger().Path(planned_.queue)) {
    const auto row = static_cast<std::size_t>(queue.value);
    if (core.snapshot().queues[row].level == QueueLevel::kTenant) continue;
    const Resources held = core.ledger().At(queue, planned_.pool).allocated;
    const Amounts left = LeftOf(guaranteed[row], held, planned_.cost);
    if (Binds(left)) bounds_.push_back({queue, Preemptibility::kPreemptible, left, Bounds::kAll});
  }
}

bool Headroom::Suffices() const {
  return user_left_ >= 0 && std::ranges::all_of(bounds_, [](const Bound& bound) {
           return std::ranges::all_of(bound.left, [](std::int64_t left) { return left >= 0; });
         });
}

bool Headroom::Concerns(const Core& core, const Bound& bound, const Booking& other) {
  if (bound.counts == Preemptibility::kNonPreemptible && bound.counts != other.preemptibility) {
    return false;
  }
  const auto path = core.ledger().Path(other.queue);
  return std::ranges::find(path, bound.queue) != path.end();
}

bool Headroom::Allows(const Core& core, const Booking& other, Bounds bounds) const {
  if (other.user == planned_.user && other.cost.gpu.value > user_left_) return false;
  if (other.pool != planned_.pool) return true;
  return std::ranges::all_of(bounds_, [&](const Bound& bound) {
    if (bounds == Bounds::kHard && bound.kind != bounds) return true;
    if (!Concerns(core, bound, other)) return true;
    for (std::size_t r = 0; r < bound.left.size(); ++r) {
      if (other.cost.Values()[r] > bound.left[r]) return false;
    }
    return true;
  });
}

void Headroom::Use(const Core& core, const Booking& other) {
  if (other.user == planned_.user) user_left_ -= other.cost.gpu.value;
  if (other.pool != planned_.pool) return;
  for (Bound& bound : bounds_) {
    if (!Concerns(core, bound, other)) continue;
    for (std::size_t r = 0; r < bound.left.size(); ++r) bound.left[r] -= other.cost.Values()[r];
  }
}

}  // namespace yard::sched
