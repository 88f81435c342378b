#include "sched/filter/admit.h"

namespace yard::sched {
namespace {

std::optional<Reason> OverBound(const Resources& allocated, const Resources& cost,
                                const Resources& bound, Reason reason) {
  for (int r = 0; r < kResourceCount; ++r) {
    const std::int64_t most = bound.Values()[r];
    const std::int64_t wants = cost.Values()[r];
    if (wants == 0 || most == kUnlimited || allocated.Values()[r] + wants <= most) continue;
    reason.resource = static_cast<Resource>(r);
    reason.bound = most;
    reason.allocated = allocated.Values()[r];
    reason.requested = wants;
    return reason;
  }
  return std::nullopt;
}

std::optional<Reason> QueueRefuses(const Core& core, const Booking& wanted, QueueIndex queue) {
  const QueueShare& rules = core.RulesOf(queue, wanted.pool);
  const QueueBalance& balance = core.ledger().At(queue, wanted.pool);
  Reason reason{.cause = Cause::kOverLimit, .pool = wanted.pool, .queue = queue};
  const Resources held = balance.allocated + balance.leaving;
  if (auto over = OverBound(held, wanted.cost, rules.limit, reason)) {
    if (over->bound == 0) over->cause = Cause::kQueueBlocked;
    return over;
  }
  if (wanted.preemptibility == Preemptibility::kPreemptible) return std::nullopt;
  reason.cause = Cause::kNonPreemptibleOverQuota;
  return OverBound(balance.fixed, wanted.cost, rules.quota, reason);
}

std::optional<Reason> OverCount(Cause cause, std::int64_t cap, std::int64_t has,
                                const Booking& wanted) {
  if (cap == kUnlimited || has + wanted.interactive <= cap) return std::nullopt;
  return Reason{.cause = cause,
                .pool = wanted.pool,
                .resource = Resource::kCount,
                .bound = cap,
                .allocated = has,
                .requested = wanted.interactive};
}

std::optional<Reason> UserRefuses(const Core& core, const Booking& wanted) {
  if (wanted.user == kNone<UserIndex>) return std::nullopt;
  const User& user = core.snapshot().users[static_cast<std::size_t>(wanted.user.value)];
  const Reason reason{.cause = Cause::kUserGpuCap, .pool = wanted.pool, .queue = wanted.queue};
  const Resources cap{MilliGpu(user.max_gpu_milli), MilliCpu(kUnlimited), Mebibytes(kUnlimited)};
  const Resources has{core.ledger().UserGpu(wanted.user), {}, {}};
  if (auto over = OverBound(has, wanted.cost, cap, reason)) return over;
  if (wanted.interactive == 0) return std::nullopt;
  return OverCount(Cause::kUserInteractiveCap, user.max_interactive,
                   core.ledger().UserInteractive(wanted.user), wanted);
}

}  // namespace

std::optional<Reason> Refuses(const Core& core, const Booking& wanted) {
  for (QueueIndex queue : core.ledger().Path(wanted.queue)) {
    if (auto reason = QueueRefuses(core, wanted, queue)) return reason;
    if (wanted.interactive == 0) continue;
    const std::int64_t cap =
        core.snapshot().queues[static_cast<std::size_t>(queue.value)].max_interactive;
    auto over = OverCount(Cause::kProjectInteractiveCap, cap, core.ledger().QueueInteractive(queue),
                          wanted);
    if (!over) continue;
    over->queue = queue;
    return over;
  }
  return UserRefuses(core, wanted);
}

bool IsGuaranteed(Core& core, const Booking& wanted) {
  const std::vector<Resources>& guaranteed = core.Guaranteed(wanted.pool);
  for (QueueIndex queue : core.ledger().Path(wanted.queue)) {
    const auto row = static_cast<std::size_t>(queue.value);
    if (core.snapshot().queues[row].level == QueueLevel::kTenant) continue;
    const Resources held = core.ledger().At(queue, wanted.pool).allocated;
    if (OverBound(held, wanted.cost, guaranteed[row], {})) return false;
  }
  return true;
}

}  // namespace yard::sched
