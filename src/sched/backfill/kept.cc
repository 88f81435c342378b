#include "sched/backfill/kept.h"

#include <algorithm>

namespace yard::sched {
namespace {

bool Owns(const Core& core, const Reservation& reservation, QueueIndex queue) {
  const auto path = core.ledger().Path(queue);
  return std::ranges::find(path, reservation.queue) != path.end();
}

// What is still kept: all of it until the release time, then only what is in use.
std::int64_t KeptMilli(const Core& core, const Reservation& reservation) {
  const std::int64_t used =
      core.ledger().At(reservation.queue, reservation.pool).allocated.gpu.value;
  const bool released = reservation.release_after.value > 0 &&
                        core.snapshot().now >= reservation.start + reservation.release_after;
  return released ? used : std::max(used, reservation.gpu.value);
}

}  // namespace

Kept::Kept(const Core& core) {
  for (const Reservation& reservation : core.snapshot().reservations) {
    if (reservation.end > core.snapshot().now) windows_.push_back({&reservation});
  }
  if (windows_.empty()) return;
  for (const Workload& workload : core.snapshot().workloads) {
    if (workload.state != WorkloadState::kRunning) continue;
    const PoolIndex pool = PoolOf(core.snapshot(), workload);
    const Resources cost = CostOf(core.snapshot(), workload, workload.tasks);
    const Micros total = DurationOf(workload);
    const Micros ran = core.snapshot().now - workload.started;
    const Micros left = total.value == 0 ? Micros(0) : std::max(total - ran, Micros(1));
    Started(core, BookingOf(workload, pool, cost), left);
  }
}

bool Kept::Concerns(const Core& core, const Window& window, const Booking& booking,
                    Micros duration) const {
  const Reservation& reservation = *window.reservation;
  if (booking.pool != reservation.pool || booking.cost.gpu.value == 0) return false;
  if (Owns(core, reservation, booking.queue)) return false;
  return duration.value == 0 || core.snapshot().now + duration > reservation.start;
}

void Kept::Started(const Core& core, const Booking& booking, Micros duration) {
  for (Window& window : windows_) {
    if (Concerns(core, window, booking, duration)) window.lasting += booking.cost.gpu.value;
  }
}

std::optional<Reason> Kept::Refuses(const Core& core, const Booking& wanted,
                                    Micros duration) const {
  for (const Window& window : windows_) {
    if (!Concerns(core, window, wanted, duration)) continue;
    const std::int64_t kept = KeptMilli(core, *window.reservation);
    const std::int64_t total = core.nodes().Total(wanted.pool).gpu.value;
    if (window.lasting + wanted.cost.gpu.value + kept <= total) continue;
    return Reason{.cause = Cause::kReserved,
                  .pool = wanted.pool,
                  .queue = window.reservation->queue,
                  .bound = kept,
                  .allocated = window.lasting,
                  .requested = wanted.cost.gpu.value};
  }
  return std::nullopt;
}

}  // namespace yard::sched
