#include "cli/work/usage.h"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/quantity.h"
#include "cli/output.h"

namespace yard::cli {
namespace {

constexpr std::int64_t kMicrosPerHour = 3'600'000'000;

// Hundredths of an hour as "12.50".
std::string Hundredths(std::int64_t hundredths) {
  return fmt::format("{}.{:02}", hundredths / 100, hundredths % 100);
}

}  // namespace

std::string UsageSum::GpuHours() const {
  return Hundredths(milli_gpu_micros / (kMicrosPerHour * 10));
}

std::string UsageSum::Hours() const {
  return Hundredths(micros / (kMicrosPerHour / 100));
}

UsageSum UsageOf(const json::value& workload, const json::array& attempts, const Period& period) {
  UsageSum sum{.workloads = 1};
  std::int64_t gpus =
      ParseMilli(TextAt(workload, "workloadRequestedResources.gpu.request")).value_or(0);
  for (const json::value& attempt : attempts) {
    std::optional<Time> start = ParseRfc3339(TextAt(attempt, "startedAt"));
    if (!start) continue;
    Time end = ParseRfc3339(TextAt(attempt, "endedAt")).value_or(period.to);
    std::int64_t span = (std::min(end, period.to) - std::max(*start, period.from)).value;
    if (span <= 0) continue;
    ++sum.attempts;
    sum.micros += span;
    sum.milli_gpu_micros += span * gpus;
  }
  return sum;
}

void Add(UsageSum& sum, const UsageSum& more) {
  sum.workloads += more.workloads;
  sum.attempts += more.attempts;
  sum.milli_gpu_micros += more.milli_gpu_micros;
  sum.micros += more.micros;
}

}  // namespace yard::cli
