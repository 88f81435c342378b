// How the dispatcher takes in what happened: committed changes and news of tasks.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "control/dispatch/dispatcher.h"

namespace yard::control {
namespace {

using engine::TaskKey;
using engine::TaskState;
using engine::TaskStatus;

TaskStatus LostTask(const TaskKey& key, Time at) {
  TaskStatus status{.key = key, .state = TaskState::kEnded};
  status.end = engine::TaskEnd{.cause = EndCause::kNodeLost, .at = at};
  return status;
}

}  // namespace

// Whether this cluster runs it.
bool Dispatcher::IsMine(const State& state, const Attempt& attempt) const {
  Ptr<Workload> workload = state.Find<Workload>(attempt.workload);
  return workload && workload->host() == cluster_;
}

void Dispatcher::TakeAttempt(const State& state, const AttemptChange& change) {
  const Ptr<Attempt>& after = change.after;
  if (!after) {
    for (std::size_t rank = 0; rank < change.before->places.size(); ++rank) {
      Ask(ForgetTask{{change.before->id, static_cast<std::int32_t>(rank)}});
    }
    return;
  }
  if (after->end) {
    run_times_.Add(state, *after);
    view_.AddUsage(state, *after);
    open_.erase(after->id);
    away_.erase(after->id);
    touched_.erase(after->id);
    return;
  }
  if (!IsMine(state, *after)) return;
  auto [at, is_new] = open_.try_emplace(after->id);
  Open& open = at->second;
  open.attempt = after;
  if (is_new) {
    Ptr<Workload> workload = state.Find<Workload>(after->workload);
    if (workload) open.rule = GangRuleOf(*workload);
    std::vector<TaskKey> keys;
    for (std::size_t rank = 0; rank < after->places.size(); ++rank) {
      keys.push_back({after->id, static_cast<std::int32_t>(rank)});
      open.tasks.push_back({.key = keys.back()});
    }
    Launch(std::move(keys));
  }
  bool was_told = change.before && change.before->stop;
  if (after->stop && !was_told) StopAll(state, *after);
  if (change.before && change.before->residence != after->residence) Relocated(open);
}

void Dispatcher::Relocated(Open& open) {
  const Attempt& attempt = *open.attempt;
  HoldsGpus(attempt) ? away_.erase(attempt.id) : away_.insert(attempt.id).second;
  open.idle = {};
  Move(attempt);
}

void Dispatcher::AddNotes(const State& state, const Inbox& inbox, Cycle& cycle) {
  for (const engine::TaskNote& note : inbox.notes) {
    Ptr<Attempt> attempt = state.Find<Attempt>(note.key.attempt);
    if (!attempt || !IsMine(state, *attempt)) continue;
    cycle.warnings.push_back({attempt->workload, note.reason, note.message});
  }
}

// Back in contact, the engine is asked at once for the news that got lost meanwhile.
void Dispatcher::TakeContact(Inbox& inbox, Time now) {
  if (inbox.nodes) {
    nodes_ = std::move(inbox.nodes);
    nodes_lost_ = false;
    const bool was_lost = std::exchange(lost_, std::nullopt) || inbox.came_back;
    if (!was_lost) return;
    remark_ = true;
    status_read_at_ = Time{};
  }
  if (!inbox.lost) return;
  nodes_.reset();
  nodes_lost_ = true;
  if (lost_) return;
  lost_ = Lost{now, inbox.lost->message};
  remark_ = true;
}

// Work that another cluster has no place for now may be this one's to start.
void Dispatcher::TakePassed(Inbox& inbox) {
  if (inbox.passed.empty()) return;
  PassedBy passed = view_.passed();
  for (auto& [cluster, now] : inbox.passed) {
    Passed& before = passed[cluster];
    if (before.all != now.all) view_.MarkStale();
    std::ranges::set_symmetric_difference(before.ids, now.ids, std::back_inserter(inbox.workloads));
    before = std::move(now);
  }
  view_.SetPassed(std::move(passed));
}

void Dispatcher::TakeTask(const TaskStatus& status) {
  auto at = open_.find(status.key.attempt);
  if (at == open_.end()) return;
  Open& open = at->second;
  auto rank = static_cast<std::size_t>(status.key.rank);
  if (rank >= open.tasks.size() || open.tasks[rank].end) return;
  if (status.state == TaskState::kUnknown) return;
  // An older message may come later.
  TaskState known = open.tasks[rank].state;
  if (known != TaskState::kUnknown && status.state < known) return;
  if (known == TaskState::kQueued || status.state == TaskState::kQueued) remark_ = true;
  std::optional<Time> started = open.tasks[rank].started_at;
  open.tasks[rank] = status;
  if (!status.started_at) open.tasks[rank].started_at = started;
  touched_.insert(status.key.attempt);
}

// A launch that was lost is made again; a task that ran and is gone is lost.
Dispatcher::Unknown Dispatcher::TakeUnknown(const State& state, const TaskKey& key, Time now) {
  auto at = open_.find(key.attempt);
  if (at == open_.end()) return Unknown::kSettled;
  const Open& open = at->second;
  auto rank = static_cast<std::size_t>(key.rank);
  if (rank >= open.tasks.size() || open.tasks[rank].end) return Unknown::kSettled;
  if (open.attempt->started_at || open.tasks[rank].started_at) {
    TakeTask(LostTask(key, now));
    return Unknown::kSettled;
  }
  if (!open.attempt->stop) return Unknown::kNeverLaunched;
  StopAll(state, *open.attempt);
  return Unknown::kSettled;
}

Orders Dispatcher::Adopt(const State& state, const std::vector<TaskStatus>& adopted, Time now) {
  nodes_read_at_ = now;
  status_read_at_ = now;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    if (IsMine(state, *attempt)) Reopen(state, attempt);
  });
  state.Of<Workload>().Each([&](const Workload& workload) { ArmDeadline(state, workload.id); });
  for (const TaskStatus& status : adopted) TakeTask(status);
  for (auto& [id, open] : open_) {
    std::vector<TaskKey> never_launched;
    for (const TaskStatus& task : open.tasks) {
      if (task.state != TaskState::kUnknown) continue;
      if (open.attempt->started_at) {
        TakeTask(LostTask(task.key, now));
      } else {
        never_launched.push_back(task.key);
      }
    }
    Launch(std::move(never_launched));
    if (open.attempt->stop) StopAll(state, *open.attempt);
    Relocated(open);
  }
  Dismiss(state, adopted);
  return {std::exchange(asked_, {}), {}, nullptr};
}

void Dispatcher::Reopen(const State& state, const Ptr<Attempt>& attempt) {
  Open& open = open_[attempt->id];
  open.attempt = attempt;
  if (Ptr<Workload> workload = state.Find<Workload>(attempt->workload)) {
    open.rule = GangRuleOf(*workload);
    // A change may not have reached the engine.
    Ask(SetGpuLimits{attempt->id, SetGpuLimits::OnFailure::kIgnore});
  }
  for (std::size_t rank = 0; rank < attempt->places.size(); ++rank) {
    open.tasks.push_back({.key = {attempt->id, static_cast<std::int32_t>(rank)}});
  }
}

// Ends what runs at the engine although nobody here wants it to.
void Dispatcher::Dismiss(const State& state, const std::vector<TaskStatus>& adopted) {
  for (const TaskStatus& task : adopted) {
    Ptr<Attempt> attempt = state.Find<Attempt>(task.key.attempt);
    if (attempt && !attempt->end) continue;
    if (!task.end) {
      log::Warning("a task that nobody asked for is stopped",
                   {{"attempt", FormatUuid(task.key.attempt.value)}});
      Stop({task.key.attempt, {task.key.rank}, {}});
    } else if (!attempt && !state.archive().HasAttempt(task.key.attempt)) {
      Ask(ForgetTask{task.key});
    }
  }
}

}  // namespace yard::control
