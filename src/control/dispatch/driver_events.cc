// How the driver takes in what happened: committed changes and news of tasks.
#include <algorithm>

#include <fmt/format.h>

#include "base/log.h"
#include "control/dispatch/driver.h"

namespace yard::control {
namespace {

using engine::TaskKey;
using engine::TaskState;
using engine::TaskStatus;

// Changes that alter more than one workload's place in the picture.
template <class T>
constexpr bool kChangesOrg = false;
template <>
constexpr bool kChangesOrg<Node> = true;
template <>
constexpr bool kChangesOrg<NodePool> = true;
template <>
constexpr bool kChangesOrg<Department> = true;
template <>
constexpr bool kChangesOrg<Project> = true;
template <>
constexpr bool kChangesOrg<Reservation> = true;

// Only whether they are there matters, not what they did last.
template <class T>
constexpr bool kIsSubject = std::is_same_v<T, User> || std::is_same_v<T, Application>;

template <class T>
Ptr<T> As(const std::optional<Object>& object) {
  return object ? std::get<Ptr<T>>(*object) : nullptr;
}

TaskStatus LostTask(const TaskKey& key, Time at) {
  TaskStatus status{.key = key, .state = TaskState::kEnded};
  status.end = engine::TaskEnd{.cause = EndCause::kNodeLost, .at = at};
  return status;
}

}  // namespace

void Driver::OnNotice(const Notice& notice) {
  std::visit(
      [&]<class T>(const Ptr<T>& any) {
        if constexpr (std::is_same_v<T, Workload>) {
          Tell([&](Inbox& inbox) { inbox.workloads.push_back(any->id); });
          Ptr<Workload> before = As<Workload>(notice.change.before);
          Ptr<Workload> after = As<Workload>(notice.change.after);
          if (before && after && !before->spec.IsSame(after->spec))
            SetGpuLimits(*after, OnFailure::kTell);
          if (before && after && after->attempt && IsParked(*before) && !IsParked(*after))
            Tell([&](Inbox& inbox) { inbox.resumed.push_back(*after->attempt); });
        } else if constexpr (std::is_same_v<T, Attempt>) {
          Tell([&](Inbox& inbox) {
            inbox.attempts.push_back(
                {As<Attempt>(notice.change.before), As<Attempt>(notice.change.after)});
          });
        } else if constexpr (std::is_same_v<T, Setting>) {
          if (IsSchedulerSetting(any->id)) Tell([](Inbox& inbox) { inbox.org_changed = true; });
        } else if constexpr (kChangesOrg<T> || kIsSubject<T>) {
          bool only_touched = kIsSubject<T> && notice.change.before && notice.change.after;
          if (!only_touched) Tell([&](Inbox& inbox) { inbox.org_changed = true; });
        }
      },
      notice.change.any());
}

engine::Listener Driver::MakeListener() {
  ear_->driver = this;
  auto on_task = [ear = ear_](const TaskStatus& status) {
    std::lock_guard lock(ear->mutex);
    if (ear->driver == nullptr) return;
    ear->driver->Tell([&](Inbox& inbox) { inbox.tasks.push_back(status); });
  };
  auto on_nodes = [ear = ear_] {
    std::lock_guard lock(ear->mutex);
    if (ear->driver != nullptr) ear->driver->ReadNodes();
  };
  auto on_note = [ear = ear_](const engine::TaskNote& note) {
    std::lock_guard lock(ear->mutex);
    if (ear->driver == nullptr) return;
    ear->driver->Tell([&](Inbox& inbox) { inbox.notes.push_back(note); });
  };
  return {.on_task = on_task, .on_nodes = on_nodes, .on_note = on_note};
}

void Driver::TakeAttempt(const State& state, const AttemptChange& change) {
  const Ptr<Attempt>& after = change.after;
  if (!after) {
    Forget(*change.before);
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
  auto [at, is_new] = open_.try_emplace(after->id);
  Open& open = at->second;
  open.attempt = after;
  if (is_new) {
    Ptr<Workload> workload = state.Find<Workload>(after->workload);
    if (workload) open.rule = GangRuleOf(*workload);
    for (std::size_t rank = 0; rank < after->places.size(); ++rank) {
      TaskKey key{after->id, static_cast<std::int32_t>(rank)};
      open.tasks.push_back({.key = key});
      Launch(key);
    }
  }
  bool was_told = change.before && change.before->stop;
  if (after->stop && !was_told) StopAll(*after);
  if (change.before && change.before->residence != after->residence) Relocated(open);
}

void Driver::Relocated(Open& open) {
  const Attempt& attempt = *open.attempt;
  HoldsGpus(attempt) ? away_.erase(attempt.id) : away_.insert(attempt.id).second;
  open.idle = {};
  MoveMemory(attempt);
}

void Driver::AddNotes(const State& state, const Inbox& inbox, Cycle& cycle) {
  for (const engine::TaskNote& note : inbox.notes) {
    Ptr<Attempt> attempt = state.Find<Attempt>(note.key.attempt);
    if (!attempt) continue;
    cycle.warnings.push_back({attempt->workload, note.reason, note.message});
  }
}

void Driver::TakeTask(const TaskStatus& status) {
  auto at = open_.find(status.key.attempt);
  if (at == open_.end()) return;
  Open& open = at->second;
  auto rank = static_cast<std::size_t>(status.key.rank);
  if (rank >= open.tasks.size() || open.tasks[rank].end) return;
  if (status.state == TaskState::kUnknown) return;
  std::optional<Time> started = open.tasks[rank].started_at;
  open.tasks[rank] = status;
  if (!status.started_at) open.tasks[rank].started_at = started;
  touched_.insert(status.key.attempt);
}

Status Driver::Reconcile(const State& state, const std::vector<TaskStatus>& adopted) {
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) { Reopen(state, attempt); });
  state.Of<Workload>().Each([&](const Workload& workload) { ArmDeadline(state, workload.id); });
  for (const TaskStatus& status : adopted) TakeTask(status);
  for (auto& [id, open] : open_) {
    for (const TaskStatus& task : open.tasks) {
      if (task.state != TaskState::kUnknown) continue;
      if (open.attempt->started_at) {
        TakeTask(LostTask(task.key, service_.Now()));
      } else {
        Launch(task.key);
      }
    }
    if (open.attempt->stop) StopAll(*open.attempt);
    Relocated(open);
  }
  Dismiss(state, adopted);
  return {};
}

void Driver::Reopen(const State& state, const Ptr<Attempt>& attempt) {
  Open& open = open_[attempt->id];
  open.attempt = attempt;
  if (Ptr<Workload> workload = state.Find<Workload>(attempt->workload)) {
    open.rule = GangRuleOf(*workload);
    SetGpuLimits(*workload, OnFailure::kIgnore);  // a change may not have reached the engine
  }
  for (std::size_t rank = 0; rank < attempt->places.size(); ++rank) {
    open.tasks.push_back({.key = {attempt->id, static_cast<std::int32_t>(rank)}});
  }
}

// Ends what runs at the engine although nobody here wants it to.
void Driver::Dismiss(const State& state, const std::vector<TaskStatus>& adopted) {
  for (const TaskStatus& task : adopted) {
    Ptr<Attempt> attempt = state.Find<Attempt>(task.key.attempt);
    if (attempt && !attempt->end) continue;
    if (!task.end) {
      log::Warning("a task that nobody asked for is stopped",
                   {{"attempt", FormatUuid(task.key.attempt.value)}});
      StopTask(task.key, {});
    } else if (!attempt) {
      hands_.Do(std::hash<AttemptId>{}(task.key.attempt),
                [this, key = task.key] { engine_.Forget(key); });
    }
  }
}

}  // namespace yard::control
