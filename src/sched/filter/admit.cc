#include "sched/filter/admit.h"

namespace yard::sched {
namespace {

// Each of these calls `refused` with every bound that refuses, until it returns kStop.
enum class Go : std::uint8_t { kOn, kStop };

template <class Refused>
Go OverBound(const Resources& allocated, const Resources& cost, const Resources& bound,
             Reason reason, Refused& refused) {
  for (int r = 0; r < kResourceCount; ++r) {
    const std::int64_t most = bound.Values()[r];
    const std::int64_t wants = cost.Values()[r];
    if (wants == 0 || most == kUnlimited || allocated.Values()[r] + wants <= most) continue;
    reason.resource = static_cast<Resource>(r);
    reason.bound = most;
    reason.allocated = allocated.Values()[r];
    reason.requested = wants;
    if (refused(reason) == Go::kStop) return Go::kStop;
  }
  return Go::kOn;
}

template <class Refused>
Go QueueRefuses(const Core& core, const Booking& wanted, QueueIndex queue, Refused& refused) {
  const QueueShare& rules = core.RulesOf(queue, wanted.pool);
  const QueueBalance& balance = core.ledger().At(queue, wanted.pool);
  Reason reason{.cause = Cause::kOverLimit, .pool = wanted.pool, .queue = queue};
  const Resources held = balance.allocated + balance.leaving;
  auto over_limit = [&refused](Reason over) {
    if (over.bound == 0) over.cause = Cause::kQueueBlocked;
    return refused(over);
  };
  if (OverBound(held, wanted.cost, rules.limit, reason, over_limit) == Go::kStop) return Go::kStop;
  if (wanted.preemptibility == Preemptibility::kPreemptible) return Go::kOn;
  reason.cause = Cause::kNonPreemptibleOverQuota;
  return OverBound(balance.fixed, wanted.cost, rules.quota, reason, refused);
}

template <class Refused>
Go OverCount(Reason reason, std::int64_t cap, std::int64_t has, const Booking& wanted,
             Refused& refused) {
  if (cap == kUnlimited || has + wanted.interactive <= cap) return Go::kOn;
  reason.pool = wanted.pool;
  reason.resource = Resource::kCount;
  reason.bound = cap;
  reason.allocated = has;
  reason.requested = wanted.interactive;
  return refused(reason);
}

template <class Refused>
Go UserRefuses(const Core& core, const Booking& wanted, Refused& refused) {
  if (wanted.user == kNone<UserIndex>) return Go::kOn;
  const User& user = core.snapshot().users[static_cast<std::size_t>(wanted.user.value)];
  const Reason reason{.cause = Cause::kUserGpuCap, .pool = wanted.pool, .queue = wanted.queue};
  const Resources cap{MilliGpu(user.max_gpu_milli), MilliCpu(kUnlimited), Mebibytes(kUnlimited)};
  const Resources has{core.ledger().UserGpu(wanted.user), {}, {}};
  if (OverBound(has, wanted.cost, cap, reason, refused) == Go::kStop) return Go::kStop;
  if (wanted.interactive == 0) return Go::kOn;
  return OverCount({.cause = Cause::kUserInteractiveCap}, user.max_interactive,
                   core.ledger().UserInteractive(wanted.user), wanted, refused);
}

template <class Refused>
void EachRefusal(const Core& core, const Booking& wanted, Refused refused) {
  for (QueueIndex queue : core.ledger().Path(wanted.queue)) {
    if (QueueRefuses(core, wanted, queue, refused) == Go::kStop) return;
    if (wanted.interactive == 0) continue;
    const std::int64_t cap =
        core.snapshot().queues[static_cast<std::size_t>(queue.value)].max_interactive;
    const Go go = OverCount({.cause = Cause::kProjectInteractiveCap, .queue = queue}, cap,
                            core.ledger().QueueInteractive(queue), wanted, refused);
    if (go == Go::kStop) return;
  }
  UserRefuses(core, wanted, refused);
}

}  // namespace

std::optional<Reason> Refuses(const Core& core, const Booking& wanted) {
  std::optional<Reason> first;
  EachRefusal(core, wanted, [&first](const Reason& reason) {
    first = reason;
    return Go::kStop;
  });
  return first;
}

std::vector<Reason> AllRefusals(const Core& core, const Booking& wanted) {
  std::vector<Reason> all;
  EachRefusal(core, wanted, [&all](const Reason& reason) {
    all.push_back(reason);
    return Go::kOn;
  });
  return all;
}

namespace {

// `held` says what a queue holds already.
bool StaysWithinGuarantee(Core& core, const Booking& wanted, auto held) {
  const std::vector<Resources>& guaranteed = core.Guaranteed(wanted.pool);
  auto stop = [](const Reason&) { return Go::kStop; };
  for (QueueIndex queue : core.ledger().Path(wanted.queue)) {
    const auto row = static_cast<std::size_t>(queue.value);
    if (core.snapshot().queues[row].level == QueueLevel::kTenant) continue;
    if (OverBound(held(queue), wanted.cost, guaranteed[row], {}, stop) == Go::kStop) return false;
  }
  return true;
}

}  // namespace

bool IsWithinQuota(const Core& core, const Booking& held) {
  if (held.preemptibility == Preemptibility::kPreemptible) return true;
  auto stop = [](const Reason&) { return Go::kStop; };
  for (QueueIndex queue : core.ledger().Path(held.queue)) {
    const Resources others = core.ledger().At(queue, held.pool).fixed - held.cost;
    const Resources& quota = core.RulesOf(queue, held.pool).quota;
    if (OverBound(others, held.cost, quota, {}, stop) == Go::kStop) return false;
  }
  return true;
}

bool IsGuaranteed(Core& core, const Booking& wanted) {
  return StaysWithinGuarantee(core, wanted, [&](QueueIndex queue) {
    return core.ledger().At(queue, wanted.pool).allocated;
  });
}

bool MayBeGuaranteed(Core& core, const Booking& wanted) {
  return StaysWithinGuarantee(core, wanted, [](QueueIndex) { return Resources{}; });
}

}  // namespace yard::sched
