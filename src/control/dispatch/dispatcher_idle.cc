// How the dispatcher finds idle work: it asks for the use of tasks now and then, never all the
// time.
#include <map>

#include <fmt/format.h>

#include "control/dispatch/dispatcher.h"

namespace yard::control {
namespace {

constexpr Micros kBetweenLooks = Seconds(30);

bool IsWatched(const State& state, const Attempt& attempt) {
  if (!attempt.started_at || attempt.stop || !HoldsGpus(attempt)) return false;
  Ptr<Workload> workload = state.Find<Workload>(attempt.workload);
  return workload && IdleLimitOf(state, *workload);
}

}  // namespace

void Dispatcher::AskForUsage(const State& state, Time now) {
  if (open_.empty()) return;
  // A clock that was set back does not put the look off.
  if (now < idle_look_at_ && idle_look_at_ - now <= kBetweenLooks) return;
  idle_look_at_ = now + kBetweenLooks;
  std::vector<engine::TaskKey> keys;
  for (const auto& [id, open] : open_) {
    if (!IsWatched(state, *open.attempt)) continue;
    for (const engine::TaskStatus& task : open.tasks) {
      if (!task.end) keys.push_back(task.key);
    }
  }
  if (keys.empty()) return;
  Ask(ReadUsage{std::move(keys)});
}

void Dispatcher::AddIdle(const State& state, const Inbox& inbox, Time now, Cycle& cycle) {
  std::map<AttemptId, std::vector<engine::TaskUsage>> by_attempt;
  for (const engine::TaskUsage& usage : inbox.usage) {
    by_attempt[usage.key.attempt].push_back(usage);
  }
  for (const auto& [id, usage] : by_attempt) {
    auto open = open_.find(id);
    if (open == open_.end() || !IsWatched(state, *open->second.attempt)) continue;
    const Attempt& attempt = *open->second.attempt;
    IdleWatch& watch = open->second.idle;
    if (watch.looked_at == Time{})
      watch.active_at = std::max(*attempt.started_at, attempt.residence_since);
    Micros limit = *IdleLimitOf(state, *state.Find<Workload>(attempt.workload));
    switch (Look(watch, usage, now, limit)) {
      case IdleVerdict::kActive:
        break;
      case IdleVerdict::kWarn:
        cycle.warnings.push_back(
            {attempt.workload, "IdleWarning",
             fmt::format("Idle for {} s, last kept alive by its {}; it is stopped after {} s.",
                         (now - watch.active_at).value / 1'000'000,
                         watch.kept_by.empty() ? "start" : watch.kept_by,
                         limit.value / 1'000'000)});
        break;
      case IdleVerdict::kStop:
        cycle.stops.push_back({attempt.workload, id, {EndCause::kIdle, "", "idle", now}});
        break;
    }
  }
}

}  // namespace yard::control
