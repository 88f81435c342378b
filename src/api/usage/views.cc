#include "api/usage/views.h"

#include <fmt/format.h>

#include "serve/server.h"

namespace yard::api {

Result<control::Period> PeriodOf(const Call& call) {
  control::Period period;
  for (auto [name, time] : {std::pair("start", &period.from), std::pair("end", &period.to)}) {
    std::optional<Time> given = ParseRfc3339(call.Query(name).value_or(""));
    if (!given) {
      return Fail(Code::kInvalid,
                  fmt::format("{} must be a time such as 2026-11-15T08:30:00Z", name));
    }
    *time = *given;
  }
  if (period.to < period.from) return Fail(Code::kInvalid, "end must not be before start");
  return period;
}

// What runs has no record yet; the engine's door knows.
AttemptUse UseOf(const Attempt& attempt, control::Live* live) {
  if (attempt.used) return *attempt.used;
  return attempt.end || live == nullptr ? AttemptUse{} : live->UseOf(attempt.id);
}

double UsedGpus(const control::UsageStep& step) {
  const auto length = (step.period.to - step.period.from).value;
  if (length <= 0) return 0;
  return static_cast<double>(step.sum.used.value) / static_cast<double>(length) / 1000;
}

void AddAttempts(Call& call, const ArchivedWorkload& past, control::UsageHistory& history) {
  for (const Ptr<Attempt>& attempt : past.attempts) {
    history.Add(*attempt, UseOf(*attempt, call.server().context().live),
                past.workload->stamp.created_at);
  }
}

void AddAttempts(Call& call, const Workload& workload, control::UsageHistory& history) {
  control::Live* live = call.server().context().live;
  for (const Ptr<Attempt>& attempt : call.state().AttemptsOf(workload.id)) {
    history.Add(*attempt, UseOf(*attempt, live), workload.stamp.created_at);
  }
}

}  // namespace yard::api
