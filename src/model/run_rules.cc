#include "model/run_rules.h"

#include <algorithm>

namespace yard {

std::string_view Name(AfterCondition condition) {
  switch (condition) {
    case AfterCondition::kOk:
      return "ok";
    case AfterCondition::kAny:
      return "any";
    case AfterCondition::kFail:
      return "fail";
  }
  return "ok";
}

bool AllowsRetry(const RetryRule& rule, std::int64_t retries, const AttemptEnd& end) {
  if (retries >= rule.limit) return false;
  if (end.cause != EndCause::kExit || rule.exit_codes.empty())
    return std::ranges::find(rule.on, end.cause) != rule.on.end();
  std::int64_t code = end.exit_code.value_or(0);
  return std::ranges::find(rule.exit_codes, code) != rule.exit_codes.end();
}

std::optional<Time> DeadlineOf(const RunRules& rules, const Attempt& attempt) {
  std::optional<Time> deadline = rules.stop_at;
  if (!rules.time_limit || !attempt.started_at) return deadline;
  // It counts the time it may use its GPUs: while away it stands still, and later it is moved back.
  if (!HoldsGpus(attempt)) return deadline;
  Time limit =
      *attempt.started_at + *rules.time_limit + AwayUntil(attempt, attempt.residence_since);
  return deadline ? std::min(*deadline, limit) : limit;
}

}  // namespace yard
