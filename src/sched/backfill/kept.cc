#include "sched/backfill/kept.h"

#include <algorithm>
#include <bit>

namespace yard::sched {
namespace {

bool Owns(const Core& core, const Reservation& reservation, QueueIndex queue) {
  const auto path = core.ledger().Path(queue);
  return std::ranges::find(path, reservation.queue) != path.end();
}

std::int64_t HeldNow(const Core& core, const Reservation& reservation) {
  return core.ledger().At(reservation.queue, reservation.pool).allocated.gpu.value;
}

// When what is not in use is given back.
std::optional<Time> ReleaseOf(const Reservation& reservation) {
  if (reservation.release_after.value == 0) return std::nullopt;
  return std::max(reservation.start, reservation.unused_since) + reservation.release_after;
}

std::int64_t KeptMilli(const Core& core, const Reservation& reservation) {
  const std::optional<Time> release = ReleaseOf(reservation);
  if (!release || core.snapshot().now < *release) return reservation.gpu.value;
  return std::min(reservation.gpu.value, HeldNow(core, reservation));
}

// Whether work that starts now is still in the way when a window begins.
bool Lasts(const Core& core, const Booking& booking, Micros duration, Time start) {
  const bool yields = booking.preemptibility == Preemptibility::kPreemptible &&
                      core.policy().preemption == Preemption::kAllowed;
  if (yields) return false;
  return duration.value == 0 || core.snapshot().now + duration > start;
}

// What is taken on nodes where nothing can start: it stands in nobody's way.
std::int64_t TakenOutOfService(const Core& core, PoolIndex pool) {
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < core.snapshot().nodes.size(); ++n) {
    const Node& node = core.snapshot().nodes[n];
    if (node.pool != pool || node.state == NodeState::kReady) continue;
    const auto index = NodeIndex(static_cast<std::int32_t>(n));
    for (WorkloadIndex holder : core.running().On(index)) {
      if (core.At(holder).rare->leaving_for) continue;  // it is not counted at all
      for (const TaskPlacement& task : core.At(holder).tasks) {
        if (task.node == index) sum += std::popcount(task.gpus) * task.each.value;
      }
    }
  }
  return sum;
}

}  // namespace

Kept::Kept(const Core& core) {
  const Time now = core.snapshot().now;
  for (const Reservation& reservation : core.snapshot().reservations) {
    AddMoment(core, reservation.pool, std::max(reservation.start, now));
  }
  for (Moment& moment : moments_) {
    if (IsNow(core, moment)) moment.others = -TakenOutOfService(core, moment.pool);
  }
  const bool later =
      std::ranges::any_of(moments_, [&](const Moment& moment) { return moment.at > now; });
  if (!later) return;
  for (const Workload& workload : core.snapshot().workloads) {
    if (workload.state < WorkloadState::kPromised || workload.rare->leaving_for) continue;
    const PoolIndex pool = PoolOf(core.snapshot(), workload);
    const Resources cost = CostOf(core.snapshot(), workload, workload.tasks);
    const Micros total = DurationOf(workload);
    const Micros left = total.value == 0 ? total : ExpectedEnd(workload, total, now) - now;
    Started(core, BookingOf(workload, pool, cost), left);
  }
}

void Kept::AddMoment(const Core& core, PoolIndex pool, Time at) {
  const auto same = [&](const Moment& known) { return known.pool == pool && known.at == at; };
  if (std::ranges::any_of(moments_, same)) return;
  Moment moment{pool, at, {}};
  for (const Reservation& reservation : core.snapshot().reservations) {
    if (reservation.pool != pool || reservation.start > at || reservation.end <= at) continue;
    const std::int64_t kept = KeptMilli(core, reservation);
    const auto own = std::ranges::find_if(moment.claims, [&](const Claim& claim) {
      return claim.reservation->queue == reservation.queue;
    });
    if (own != moment.claims.end()) {
      own->kept += kept;
    } else if (kept > 0) {
      moment.claims.push_back({&reservation, kept});
    }
  }
  if (!moment.claims.empty()) moments_.push_back(std::move(moment));
}

std::int64_t Kept::SumOf(const Core& core, const Moment& moment, const Booking* more) const {
  const bool now = IsNow(core, moment);
  std::int64_t rest = more == nullptr ? 0 : more->cost.gpu.value;
  std::int64_t others = moment.others;
  if (now) others += core.ledger().PoolGpu(moment.pool).value;
  std::int64_t sum = 0;
  for (const Claim& claim : moment.claims) {
    std::int64_t held = now ? HeldNow(core, *claim.reservation) : claim.lasting;
    if (now) others -= held;
    if (more != nullptr && Owns(core, *claim.reservation, more->queue)) {
      held += std::exchange(rest, 0);
    }
    sum += std::max(claim.kept, held);
  }
  return sum + others + rest;
}

std::optional<Reason> Kept::RefusesAt(const Core& core, const Moment& moment,
                                      const Booking& wanted) const {
  if (moment.pool != wanted.pool || wanted.cost.gpu.value == 0) return std::nullopt;
  const std::int64_t after = SumOf(core, moment, &wanted);
  if (after <= core.nodes().Total(wanted.pool).gpu.value) return std::nullopt;
  if (after <= SumOf(core, moment, nullptr)) return std::nullopt;
  const Claim* largest = nullptr;
  for (const Claim& claim : moment.claims) {
    if (Owns(core, *claim.reservation, wanted.queue)) continue;
    if (largest == nullptr || claim.kept > largest->kept) largest = &claim;
  }
  if (largest == nullptr) return std::nullopt;  // there is no room, reserved or not
  return Reason{.cause = Cause::kReserved,
                .pool = wanted.pool,
                .queue = largest->reservation->queue,
                .bound = largest->kept,
                .requested = wanted.cost.gpu.value,
                .from = largest->reservation->start,
                .until = largest->reservation->end};
}

std::optional<Reason> Kept::RefusesLater(const Core& core, const Booking& wanted,
                                         Micros duration) const {
  for (const Moment& moment : moments_) {
    if (IsNow(core, moment) || !Lasts(core, wanted, duration, moment.at)) continue;
    if (auto reason = RefusesAt(core, moment, wanted)) return reason;
  }
  return std::nullopt;
}

std::optional<Reason> Kept::Refuses(const Core& core, const Booking& wanted,
                                    Micros duration) const {
  for (const Moment& moment : moments_) {
    if (!IsNow(core, moment)) continue;
    if (auto reason = RefusesAt(core, moment, wanted)) return reason;
  }
  return RefusesLater(core, wanted, duration);
}

std::int64_t Kept::Excess(const Core& core, PoolIndex pool) const {
  for (const Moment& moment : moments_) {
    if (moment.pool != pool || !IsNow(core, moment)) continue;
    const std::int64_t total = core.nodes().Total(pool).gpu.value;
    return std::max<std::int64_t>(SumOf(core, moment, nullptr) - total, 0);
  }
  return 0;
}

bool Kept::Grants(const Core& core, const Booking& wanted) const {
  if (wanted.cost.gpu.value == 0) return false;  // reserved are GPUs
  for (const Moment& moment : moments_) {
    if (moment.pool != wanted.pool || !IsNow(core, moment)) continue;
    for (const Claim& claim : moment.claims) {
      if (!Owns(core, *claim.reservation, wanted.queue)) continue;
      return HeldNow(core, *claim.reservation) + wanted.cost.gpu.value <= claim.kept;
    }
  }
  return false;
}

bool Kept::Spares(const Core& core, QueueIndex queue, PoolIndex pool, MilliGpu given) const {
  for (const Moment& moment : moments_) {
    if (moment.pool != pool || !IsNow(core, moment)) continue;
    for (const Claim& claim : moment.claims) {
      if (!Owns(core, *claim.reservation, queue)) continue;
      return HeldNow(core, *claim.reservation) - given.value >= claim.kept;
    }
  }
  return true;
}

void Kept::Started(const Core& core, const Booking& booking, Micros duration) {
  for (Moment& moment : moments_) {
    if (moment.pool != booking.pool || IsNow(core, moment)) continue;
    if (!Lasts(core, booking, duration, moment.at)) continue;
    const auto own = std::ranges::find_if(moment.claims, [&](const Claim& claim) {
      return Owns(core, *claim.reservation, booking.queue);
    });
    std::int64_t& sum = own == moment.claims.end() ? moment.others : own->lasting;
    sum += booking.cost.gpu.value;
  }
}

std::optional<Time> NextTurn(const std::vector<Reservation>& reservations, Time after) {
  std::optional<Time> next;
  const auto consider = [&](std::optional<Time> at) {
    if (at && *at > after && (!next || *at < *next)) next = at;
  };
  for (const Reservation& reservation : reservations) {
    if (reservation.end <= after) continue;
    consider(reservation.start);
    consider(reservation.end);
    consider(ReleaseOf(reservation));
  }
  return next;
}

}  // namespace yard::sched
