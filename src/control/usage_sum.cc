#include "control/usage_sum.h"

#include <algorithm>

namespace yard::control {
namespace {

__extension__ using Wide = __int128;

// The time an attempt holds its places.
Period SpanOf(const Attempt& attempt, Time now) {
  Time end = attempt.end ? attempt.end->at : now;
  return {attempt.placed_at, std::max(attempt.placed_at, end)};
}

// How much of `total`, spread evenly over the span, falls before `at`.
std::int64_t Before(std::int64_t total, const Period& span, Time at) {
  if (at <= span.from) return 0;
  if (at >= span.to) return total;
  auto part = static_cast<Wide>(total) * (at - span.from).value / (span.to - span.from).value;
  return static_cast<std::int64_t>(part);
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
  return GpuTime(HeldBy(attempt).value * (span.to - span.from).value);
}

UsageSum UsageWithin(const Attempt& attempt, const AttemptUse& use, const Period& period,
                     Time now) {
  Period span = SpanOf(attempt, now);
  auto within = [&](std::int64_t total) {
    return Before(total, span, period.to) - Before(total, span, period.from);
  };
  Micros time(within((span.to - span.from).value));
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
