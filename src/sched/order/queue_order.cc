#include "sched/order/queue_order.h"

#include <compare>

namespace yard::sched {
namespace {

// Stands for "infinitely saturated" without leaving the integers: no real ratio reaches it.
constexpr std::int64_t kBoundless = std::int64_t{1} << 40;

bool HasNoShare(const Resources& share) {
  return share == Resources{};
}

}  // namespace

Saturation SaturationOf(const Resources& allocated, const Resources& share) {
  Saturation most{0, 1};
  for (int r = 0; r < kResourceCount; ++r) {
    const std::int64_t has = allocated.Values()[r];
    const std::int64_t may = share.Values()[r];
    if (has == 0) continue;
    const Saturation ratio = may > 0 ? Saturation{has, may} : Saturation{has + kBoundless, 1};
    if (ratio > most) most = ratio;
  }
  return most;
}

bool ServedBefore(const QueueClaim& a, const QueueClaim& b) {
  const bool a_over = !Within(a.allocated, a.share);
  const bool b_over = !Within(b.allocated, b.share);
  if (a_over != b_over) return b_over;
  const bool a_deserves = Within(a.allocated + a.next, a.quota);
  const bool b_deserves = Within(b.allocated + b.next, b.quota);
  if (a_deserves != b_deserves) return a_deserves;
  if (a.priority != b.priority) return a.priority > b.priority;
  if (HasNoShare(a.share) != HasNoShare(b.share)) return HasNoShare(b.share);
  const auto with =
      SaturationOf(a.allocated + a.next, a.share) <=> SaturationOf(b.allocated + b.next, b.share);
  if (with != 0) return with < 0;
  const auto without = SaturationOf(a.allocated, a.share) <=> SaturationOf(b.allocated, b.share);
  if (without != 0) return without < 0;
  if (a.share != b.share) return a.share.Values() < b.share.Values();
  if (a.created != b.created) return a.created < b.created;
  return a.queue < b.queue;
}

}  // namespace yard::sched
