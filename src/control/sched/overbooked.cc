#include "control/sched/overbooked.h"

#include <fmt/format.h>

namespace yard::control {
namespace {

using Amounts = std::map<NodePoolId, MilliGpu>;

Amounts GpusOfPools(const State& state) {
  Amounts has;
  state.Of<Node>().Each([&](const Node& node) {
    for (const NodeGpu& gpu : node.gpus) {
      if (gpu.fault.empty()) has[node.pool] += MilliGpu(1000);
    }
  });
  return has;
}

std::map<DepartmentId, Amounts> PromisedToProjects(const State& state) {
  std::map<DepartmentId, Amounts> promised;
  state.Of<Project>().Each([&](const Project& project) {
    for (const PoolQuota& quota : project.resources) {
      promised[project.department][quota.pool] += quota.gpu.deserved.value_or(MilliGpu(0));
    }
  });
  return promised;
}

std::string NameOf(const State& state, NodePoolId id) {
  Ptr<NodePool> pool = state.Find<NodePool>(id);
  return pool ? pool->name : std::to_string(id.value);
}

}  // namespace

Overbooked::Overbooked(const State& state) {
  const Amounts has = GpusOfPools(state);
  const std::map<DepartmentId, Amounts> to_projects = PromisedToProjects(state);
  Amounts promised;
  state.Of<Department>().Each([&](const Department& department) {
    const auto below = to_projects.find(department.id);
    // A pool that the department does not name has no quota of its own.
    Amounts projects = below == to_projects.end() ? Amounts() : below->second;
    for (const PoolQuota& quota : department.resources) {
      const MilliGpu together = projects[quota.pool];
      if (!quota.gpu.deserved) continue;
      projects[quota.pool] = *quota.gpu.deserved;
      if (together <= *quota.gpu.deserved) continue;
      departments_[{department.id, quota.pool}] = fmt::format(
          "The projects of department {} have a quota of {} GPU together in pool {}, the "
          "department has {}. Lower a project's quota or raise the department's.",
          department.name, FormatMilli(together.value), NameOf(state, quota.pool),
          FormatMilli(quota.gpu.deserved->value));
    }
    for (const auto& [pool, amount] : projects) promised[pool] += amount;
  });
  for (const auto& [pool, sum] : promised) {
    const auto there = has.find(pool);
    const MilliGpu gpus = there == has.end() ? MilliGpu(0) : there->second;
    if (sum <= gpus) continue;
    pools_[pool] =
        fmt::format("Quotas promise {} GPU of pool {}, which has {}. Lower a quota or add a node.",
                    FormatMilli(sum.value), NameOf(state, pool), FormatMilli(gpus.value));
  }
}

std::optional<std::string> Overbooked::Of(const OrgUnit& unit, DepartmentId department) const {
  std::string all;
  const auto add = [&](const std::string& sentence) {
    if (!all.empty()) all += ' ';
    all += sentence;
  };
  for (const PoolQuota& quota : unit.resources) {
    if (quota.gpu.deserved == MilliGpu(0)) continue;
    if (const auto at = pools_.find(quota.pool); at != pools_.end()) add(at->second);
    const auto own = departments_.find({department, quota.pool});
    if (own != departments_.end()) add(own->second);
  }
  return all.empty() ? std::nullopt : std::optional(std::move(all));
}

std::optional<std::string> Overbooked::Of(const Department& department) const {
  return Of(department, department.id);
}

std::optional<std::string> Overbooked::Of(const Project& project) const {
  return Of(project, project.department);
}

}  // namespace yard::control
