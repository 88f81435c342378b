#include "control/sched/choices.h"

#include <algorithm>

#include "model/spec/spec.h"

namespace yard::control {
namespace {

// Pools belong to a cluster, and so does the count of an array's items that run at once.
bool IsTied(const Workload& workload) {
  return workload.taken_by || workload.attempts > 0 ||
         !workload.spec->placement->node_pools.empty() ||
         (workload.rules.array && workload.rules.array->throttle > 0);
}

bool HasPassed(const State& state, ClusterId cluster, WorkloadId id, const PassedBy& passed) {
  Ptr<Cluster> found = state.Find<Cluster>(cluster);
  if (!found || found->engine.empty()) return true;  // nobody looks for a place there
  auto at = passed.find(cluster);
  return at != passed.end() && (at->second.all || at->second.ids.contains(id));
}

}  // namespace

std::vector<ClusterId> ClustersOf(const Project& project) {
  std::vector<ClusterId> all = {project.cluster};
  all.insert(all.end(), project.more_clusters.begin(), project.more_clusters.end());
  return all;
}

std::vector<ClusterId> ChoicesOf(const State& state, const Workload& workload) {
  if (IsTied(workload)) return {workload.host()};
  Ptr<Project> project = state.Find<Project>(workload.project);
  return project ? ClustersOf(*project) : std::vector{workload.host()};
}

bool IsAsked(const State& state, const Workload& workload, ClusterId cluster,
             const PassedBy& passed) {
  if (workload.host() == cluster) return true;
  const std::vector<ClusterId> choices = ChoicesOf(state, workload);
  auto mine = std::ranges::find(choices, cluster);
  if (mine == choices.end() || state.OpenAttempt(workload)) return false;
  return std::all_of(choices.begin(), mine, [&](ClusterId before) {
    return HasPassed(state, before, workload.id, passed);
  });
}

}  // namespace yard::control
