#include "control/dispatch/gate.h"

#include <fmt/format.h>

#include "model/spec/spec.h"

namespace yard::control {
namespace {

enum class Outcome { kOpen, kOk, kFailed, kUnknown };

// How a workload ended, also if it was deleted since.
Outcome OutcomeOf(const State& state, WorkloadId id) {
  Ptr<Workload> workload = state.FindEver(id);
  if (!workload) return Outcome::kUnknown;
  if (workload->phase() == Phase::kCompleted) return Outcome::kOk;
  if (workload->phase() == Phase::kFailed || workload->life == Life::kCancelled)
    return Outcome::kFailed;
  if (!workload->deleted_at) return Outcome::kOpen;
  Ptr<Attempt> last = state.NewestAttempt(*workload);
  if (!last) return Outcome::kUnknown;
  if (!last->end) return Outcome::kOpen;
  return last->end->cause == EndCause::kCompleted ? Outcome::kOk : Outcome::kFailed;
}

GateState Meets(Outcome outcome, AfterCondition condition) {
  if (outcome == Outcome::kOpen) return GateState::kClosed;
  bool met = condition == AfterCondition::kAny ||
             (condition == AfterCondition::kOk && outcome == Outcome::kOk) ||
             (condition == AfterCondition::kFail && outcome == Outcome::kFailed);
  return met ? GateState::kOpen : GateState::kNever;
}

std::string_view Wanted(AfterCondition condition) {
  switch (condition) {
    case AfterCondition::kOk:
      return "completes";
    case AfterCondition::kAny:
      return "ends";
    case AfterCondition::kFail:
      return "fails";
  }
  return "ends";
}

GateAnswer AskDependencies(const State& state, const Workload& workload) {
  GateAnswer answer;
  for (const Dependency& after : workload.rules.after) {
    GateState met = Meets(OutcomeOf(state, after.workload), after.condition);
    if (met == GateState::kOpen) continue;
    std::string_view wanted = Wanted(after.condition);
    if (met == GateState::kNever && after.condition == AfterCondition::kFail) {
      return {met, std::string(kNotNeeded),
              fmt::format("the end of '{}', after which it is not needed", after.named)};
    }
    if (met == GateState::kNever) {
      return {met, "DependencyNeverMet",
              fmt::format("Was to start once '{}' {}, which cannot happen any more.", after.named,
                          wanted)};
    }
    answer.state = met;
    answer.causes.push_back({.reason = "Dependency",
                             .message = fmt::format("Waits until '{}' {}.", after.named, wanted),
                             .pool = {},
                             .unit = {}});
  }
  return answer;
}

WaitCause HoldOf(const Workload& workload) {
  return {.reason = "Held",
          .message = fmt::format("It is held and waits until somebody releases it: `gpuyard "
                                 "release {}`.",
                                 workload.name),
          .pool = {},
          .unit = {}};
}

WaitCause BeginOf(Time at) {
  return {.reason = "BeginTime",
          .message = fmt::format("It is to begin at {}, not before.", FormatRfc3339(at)),
          .pool = {},
          .unit = {}};
}

}  // namespace

GateAnswer AskGate(const State& state, const Workload& workload, Time now) {
  GateAnswer answer = AskDependencies(state, workload);
  if (answer.state == GateState::kNever) return answer;
  const std::optional<Time> begin = workload.spec->limits->begin_at;
  if (begin && now < *begin) {
    answer.state = GateState::kClosed;
    answer.causes.insert(answer.causes.begin(), BeginOf(*begin));
  }
  if (workload.rules.hold) {
    answer.state = GateState::kClosed;
    answer.causes.insert(answer.causes.begin(), HoldOf(workload));
  }
  if (answer.causes.empty()) return answer;
  answer.reason = answer.causes.front().reason;
  answer.message = answer.causes.front().message;
  return answer;
}

}  // namespace yard::control
