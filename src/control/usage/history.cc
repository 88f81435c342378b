#include "control/usage/history.h"

#include <algorithm>

namespace yard::control {
namespace {

constexpr double kMicrosPerSecond = 1e6;

}  // namespace

double UsageStep::held_milli() const {
  const auto length = (period.to - period.from).value;
  return length > 0 ? static_cast<double>(sum.held.value) / static_cast<double>(length) : 0;
}

std::optional<double> UsageStep::busy_percent() const {
  const GpuTime measured = sum.used + sum.idle;
  if (measured.value <= 0) return std::nullopt;
  return 100.0 * static_cast<double>(sum.used.value) / static_cast<double>(measured.value);
}

std::optional<double> UsageStep::wait_seconds() const {
  if (started == 0) return std::nullopt;
  return static_cast<double>(waited.value) / static_cast<double>(started) / kMicrosPerSecond;
}

UsageHistory::UsageHistory(const Period& period, std::size_t steps, Time now)
    : period_{period.from, std::max(period.from, std::min(period.to, now))}, now_(now) {
  const std::int64_t span = (period_.to - period_.from).value;
  const std::int64_t most = std::max<std::int64_t>(1, span / Seconds(1).value);
  const auto count = std::clamp<std::int64_t>(static_cast<std::int64_t>(steps), 1, most);
  length_ = Micros(std::max<std::int64_t>(1, (span + count - 1) / count));
  for (std::int64_t i = 0; i < count; ++i) {
    const Time from = std::min(period_.from + Micros(length_.value * i), period_.to);
    steps_.push_back({.period = {from, std::min(from + length_, period_.to)}});
  }
}

std::size_t UsageHistory::StepAt(Time at) const {
  const std::int64_t step = (at - period_.from).value / length_.value;
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(step, 0, static_cast<std::int64_t>(steps_.size()) - 1));
}

void UsageHistory::Add(const Attempt& attempt, const AttemptUse& use, Time submitted) {
  const Time end = attempt.end ? attempt.end->at : now_;
  const Time from = HeldFrom(attempt, now_);
  if (from >= period_.to || end < period_.from) return;
  const std::size_t last = StepAt(end);
  for (std::size_t i = StepAt(from); i <= last; ++i) {
    steps_[i].sum += UsageWithin(attempt, use, steps_[i].period, now_);
  }
  if (attempt.number != 1 || from < period_.from) return;
  UsageStep& step = steps_[StepAt(from)];
  const Micros waited = std::max(Micros(0), from - submitted);
  step.started += 1;
  step.waited += waited;
  step.longest_wait = std::max(step.longest_wait, waited);
}

}  // namespace yard::control
