// Places all tasks of a workload, or none.
//
// The largest tasks go first. With a topology level, domains are tried from the fullest that may
// fit to the emptiest; a preferred level gives way to the whole pool, a required one does not.
#pragma once

#include <optional>
#include <vector>

#include "sched/core/trial.h"
#include "sched/place/find.h"
#include "sched/reason.h"

namespace yard::sched {

struct GangResult {
  std::optional<std::vector<TaskPlacement>> tasks;  // taken in the trial
  Reason reason;                                    // if not
};

GangResult PlaceGang(Core& core, Trial& trial, const Spec& spec, PoolIndex pool);

// One more task of a running elastic workload, or nothing.
std::optional<TaskPlacement> PlaceOne(Core& core, Trial& trial, const TaskGroup& group,
                                      PoolIndex pool);

// True if one task of each group would find a place: cheap, and false means PlaceGang fails.
bool MayFit(const Core& core, const Spec& spec, PoolIndex pool);

}  // namespace yard::sched
