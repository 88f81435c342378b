// Everything that happened since the dispatcher's last step: committed changes, news of the engine,
// time. A value.
#pragma once

#include <optional>
#include <vector>

#include "control/dispatch/parking.h"
#include "control/sched/choices.h"
#include "control/service.h"
#include "engine/task.h"
#include "model/attempt.h"

namespace yard::control {

struct AttemptChange {
  Ptr<Attempt> before;
  Ptr<Attempt> after;
};

// All of them.
std::vector<std::int32_t> RanksOf(const Attempt& attempt);

// An order to stop tasks of an attempt.
struct StopTasks {
  AttemptId attempt;
  std::vector<std::int32_t> ranks;
  engine::StopOptions how;
};

struct Inbox {
  std::vector<WorkloadId> workloads;
  std::vector<AttemptChange> attempts;
  std::vector<engine::TaskStatus> tasks;
  std::vector<engine::TaskKey> unknown;       // to the engine
  std::vector<engine::TaskKey> not_launched;  // the engine could not take them now
  std::vector<StopTasks> not_stopped;         // the engine could not reach them now
  std::vector<engine::TaskUsage> usage;
  std::vector<engine::TaskNote> notes;
  std::vector<Moved> moved;
  std::vector<AttemptId> resumed;  // that were parked
  std::vector<AttemptId> changed_limits;
  std::optional<std::vector<engine::NodeState>> nodes;
  std::optional<Error> lost;  // why the engine is out of contact; newer than `nodes`
  bool came_back = false;     // it was out of contact before `nodes`
  PassedBy passed = {};       // of other clusters; newer than what was known
  bool org_changed = false;
  bool woken = false;

  bool empty() const;
};

// Adds the news to what happened before.
void Append(Inbox& inbox, Inbox news);

// What a committed change means to the dispatcher. Reactor thread.
Inbox NewsOf(const Notice& notice);

}  // namespace yard::control
