// Which clusters may run a workload, and how the first of them leave it to the next. Pure.
//
// Work that has not run yet may be taken by any cluster of its project. It is asked for in the
// order of the project: the second cluster looks at a workload once the first has said that it has
// no place for it now. Work that has run stays where its files are.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "control/state/state.h"
#include "model/workload.h"

namespace yard::control {

// All clusters of a project, its own first.
std::vector<ClusterId> ClustersOf(const Project& project);

// Those that may run the workload, in the order they are asked; never empty.
std::vector<ClusterId> ChoicesOf(const State& state, const Workload& workload);

// Waiting work that a cluster has no place for now.
struct Passed {
  bool all = false;  // the cluster is out of contact
  std::set<WorkloadId> ids = {};
  bool operator==(const Passed&) const = default;
};
using PassedBy = std::map<ClusterId, Passed>;

// Whether the scheduler of `cluster` looks at the workload.
bool IsAsked(const State& state, const Workload& workload, ClusterId cluster,
             const PassedBy& passed);

}  // namespace yard::control
