#include "control/usage/sum.h"

#include <algorithm>

namespace yard::control {
namespace {

__extension__ using Wide = __int128;

// From when it holds its places to its end.
Period SpanOf(const Attempt& attempt, Time now) {
  Time end = attempt.end ? attempt.end->at : now;
  const Time from = HeldFrom(attempt, now);
  return {from, std::max(from, end)};
}

// How long before `at` its places were its own.
Micros HeldBefore(const Attempt& attempt, const Period& span, Time at) {
  at = std::clamp(at, span.from, span.to);
  return std::max(Micros(0), at - span.from - AwayUntil(attempt, at));
}

// How much of `total`, spread evenly over `all`, falls into the first `part` of it.
std::int64_t PartOf(std::int64_t total, Micros part, Micros all) {
  return static_cast<std::int64_t>(static_cast<Wide>(total) * part.value / all.value);
}

}  // namespace

UsageSum& UsageSum::operator+=(const UsageSum& more) {
  attempts += more.attempts;
  time += more.time;
  cpu += more.cpu;
  held += more.held;
  used += more.used;
  idle += more.idle;
  return *this;
}

GpuTime HeldUntil(const Attempt& attempt, Time now) {
  Period span = SpanOf(attempt, now);
  return GpuTime(HeldBy(attempt).value * HeldBefore(attempt, span, span.to).value);
}

UsageSum UsageWithin(const Attempt& attempt, const AttemptUse& use, const Period& period,
                     Time now) {
  Period span = SpanOf(attempt, now);
  const Micros all = HeldBefore(attempt, span, span.to);
  const Micros from = HeldBefore(attempt, span, period.from);
  const Micros to = HeldBefore(attempt, span, period.to);
  auto within = [&](std::int64_t total) {
    return PartOf(total, to, all) - PartOf(total, from, all);
  };
  const Micros time = to - from;
  if (time.value <= 0) return {};
  UsageSum sum{.attempts = 1, .time = time};
  GpuTime held = HeldUntil(attempt, now);
  // Never more than was held, whatever the counters say.
  GpuTime measured = std::min(use.gpu_measured, held);
  GpuTime used = std::min(use.gpu_used, measured);
  sum.cpu = Micros(within(use.cpu.value_or(Micros(0)).value));
  sum.held = GpuTime(HeldBy(attempt).value * time.value);
  sum.used = GpuTime(within(used.value));
  sum.idle = GpuTime(within(measured.value)) - sum.used;
  return sum;
}

}  // namespace yard::control
