// When work may start, when it must end and what happens then: rules a submission may set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/attempt.h"
#include "model/ids.h"

namespace yard {

// How another workload must have ended.
enum class AfterCondition { kOk, kAny, kFail };

struct Dependency {
  std::string named;    // as submitted: an id, or a name in the same project
  WorkloadId workload;  // what that named when the work was submitted
  AfterCondition condition = AfterCondition::kOk;
};

// Another try after an end for one of these causes. Without any cause, nothing is tried again.
struct RetryRule {
  std::int64_t limit = 0;
  std::vector<EndCause> on;
  std::vector<std::int64_t> exit_codes;  // of kExit; empty: every code
};

// One item of an array. Of the items with the same id, `throttle` may run at a time; 0: all.
struct ArrayItem {
  std::string id;
  std::int64_t index = 0;
  std::int64_t size = 0;
  std::int64_t throttle = 0;
};

inline constexpr int kTerminate = 15;  // SIGTERM

struct RunRules {
  std::optional<Micros> time_limit;  // of each attempt, while it runs
  std::optional<Time> stop_at;
  RetryRule retry;
  std::vector<Dependency> after;
  bool hold = false;  // waits until it is released
  Micros grace = Seconds(30);
  std::int64_t preempt_signal = kTerminate;
  bool ends_when_preempted = false;  // else it waits for another place
  std::optional<ArrayItem> array;
};

std::string_view Name(AfterCondition condition);

bool AllowsRetry(const RetryRule& rule, std::int64_t retries, const AttemptEnd& end);

// When a running attempt must stop; nothing: never.
std::optional<Time> DeadlineOf(const RunRules& rules, const Attempt& attempt);

}  // namespace yard
