#include "api/workloads/workload_series.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/quantity.h"

namespace yard::api {
namespace {

using control::UsagePoint;

constexpr std::int64_t kMebibyte = 1 << 20;

// A workload at one moment: the attempt it was in, and the two samples around it.
struct Moment {
  const Workload& workload;
  const Attempt& attempt;
  bool runs = false;
  bool away = false;                   // its GPUs were not its own
  const UsagePoint* before = nullptr;  // null: the start of the attempt
  const UsagePoint* after = nullptr;   // null: not sampled
};
using Value = std::optional<std::string>;

std::string Bytes(Mebibytes amount) {
  return std::to_string(amount.value * kMebibyte);
}

Value GpuUtilization(const Moment& m) {
  if (m.after == nullptr) return std::nullopt;
  GpuTime measured = m.after->gpu_measured;
  GpuTime used = m.after->gpu_used;
  if (m.before != nullptr) {
    measured -= m.before->gpu_measured;
    used -= m.before->gpu_used;
  }
  if (measured.value <= 0) return std::nullopt;
  return std::to_string(used.value / std::max<std::int64_t>(measured.value / 100, 1));
}

Value CpuCores(const Moment& m) {
  if (m.after == nullptr || !m.attempt.started_at) return std::nullopt;
  Time from = m.before != nullptr ? m.before->at : *m.attempt.started_at;
  Micros cpu = m.before != nullptr ? m.before->cpu : Micros(0);
  return FormatMilli(control::MilliRate(cpu, m.after->cpu, m.after->at - from));
}

Value Memory(const Moment& m) {
  return m.after == nullptr ? std::nullopt : Value(Bytes(m.after->memory));
}

Value GpuMemory(const Moment& m) {
  if (m.after == nullptr || !m.after->gpu_memory) return std::nullopt;
  return Bytes(*m.after->gpu_memory);
}

Value GpuAllocation(const Moment& m) {
  return FormatMilli(m.away ? 0 : HeldBy(m.attempt).value);
}

Value CpuRequest(const Moment& m) {
  return FormatMilli(TotalOf(m.workload.request).cpu.value);
}

Value MemoryRequest(const Moment& m) {
  return Bytes(TotalOf(m.workload.request).memory);
}

Value Pods(const Moment& m) {
  return std::to_string(m.attempt.places.size());
}

Value RunningPods(const Moment& m) {
  return std::to_string(m.runs && !m.away ? m.attempt.places.size() : 0);
}

struct MetricType {
  std::string_view name;
  Value (*value)(const Moment& moment);
};
constexpr MetricType kTypes[] = {{"GPU_UTILIZATION", GpuUtilization},
                                 {"GPU_MEMORY_USAGE_BYTES", GpuMemory},
                                 {"CPU_USAGE_CORES", CpuCores},
                                 {"CPU_REQUEST_CORES", CpuRequest},
                                 {"CPU_MEMORY_USAGE_BYTES", Memory},
                                 {"CPU_MEMORY_REQUEST_BYTES", MemoryRequest},
                                 {"POD_COUNT", Pods},
                                 {"RUNNING_POD_COUNT", RunningPods},
                                 {"GPU_ALLOCATION", GpuAllocation}};

const MetricType* Find(std::string_view name) {
  const MetricType* found = std::ranges::find(kTypes, name, &MetricType::name);
  return found == std::end(kTypes) ? nullptr : found;
}

const SampledAttempt* AttemptAt(const SampledWorkload& sampled, Time at) {
  for (const SampledAttempt& one : sampled.attempts) {
    bool ended = one.attempt->end && one.attempt->end->at < at;
    if (one.attempt->placed_at <= at && !ended) return &one;
  }
  return nullptr;
}

bool IsAway(const Attempt& attempt, Time at) {
  return std::ranges::any_of(AbsencesUntil(attempt, at + Micros(1)), [at](const Absence& absence) {
    return absence.from <= at && at < absence.to;
  });
}

Moment MomentAt(const Workload& workload, const SampledAttempt& sampled, Time at) {
  const Attempt& attempt = *sampled.attempt;
  Moment moment{workload, attempt, attempt.started_at && *attempt.started_at <= at,
                IsAway(attempt, at)};
  const std::vector<UsagePoint>& points = sampled.series.points();
  auto after = std::ranges::lower_bound(points, at, {}, &UsagePoint::at);
  if (after == points.end()) return moment;
  moment.after = &*after;
  if (after != points.begin()) moment.before = &*std::prev(after);
  return moment;
}

}  // namespace

bool IsMeasured(std::string_view type) {
  return Find(type) != nullptr;
}

std::vector<MetricValue> ValuesOf(std::string_view type, const SampledWorkload& sampled,
                                  const control::Period& period, std::int64_t count) {
  std::vector<MetricValue> values;
  const MetricType* metric = Find(type);
  if (metric == nullptr || count <= 0) return values;
  for (std::int64_t i = 1; i <= count; ++i) {
    Time at = period.from + Micros((period.to - period.from).value / count * i);
    const SampledAttempt* attempt = AttemptAt(sampled, at);
    if (attempt == nullptr) continue;
    Value value = metric->value(MomentAt(*sampled.workload, *attempt, at));
    if (value) values.push_back({*std::move(value), at});
  }
  return values;
}

}  // namespace yard::api
