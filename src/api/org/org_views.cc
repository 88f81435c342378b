#include "api/org/org_views.h"

#include <boost/json/value.hpp>

#include "control/sched/choices.h"

namespace yard::api {
namespace {

// The state keeps the pools, and so their names, as long as a view is used.
std::string_view PoolName(const control::State& state, NodePoolId id) {
  Ptr<NodePool> pool = state.Find<NodePool>(id);
  return pool ? std::string_view(pool->name) : std::string_view();
}

std::vector<wire::NamedQuota> NameQuotas(const control::State& state, const OrgUnit& unit) {
  std::vector<wire::NamedQuota> named;
  named.reserve(unit.resources.size());
  for (const PoolQuota& quota : unit.resources) {
    named.push_back({&quota, PoolName(state, quota.pool)});
  }
  return named;
}

template <class Amounts>
wire::QuotaSums Sums(const Amounts& amounts) {
  return {amounts.gpu, amounts.cpu, amounts.memory};
}

// What departments and projects have in common.
template <class Unit>
wire::OrgUnitView ViewOfUnit(const control::State& state, const Unit& unit) {
  wire::OrgUnitView view{.unit = &unit, .id = std::to_string(unit.id.value)};
  view.quotas = NameQuotas(state, unit);
  control::UnitHeld held = state.holdings().Of(unit);
  view.allocated = Sums(held.all);
  view.allocated_non_preemptible = Sums(held.lasting);
  view.pools.reserve(view.quotas.size());
  for (const wire::NamedQuota& named : view.quotas) {
    control::UnitHeld there = state.holdings().Of(unit, named.quota->pool);
    view.pools.push_back(
        {named.quota->pool, named.pool_name, Sums(there.all), Sums(there.lasting)});
  }
  return view;
}

void Add(wire::QuotaSums& sum, const wire::QuotaSums& more) {
  sum.gpu += more.gpu;
  sum.cpu += more.cpu;
  sum.memory += more.memory;
}

}  // namespace

wire::OrgUnitView ViewOf(const control::State& state, const control::Overbooked& overbooked,
                         const Project& project) {
  wire::OrgUnitView view = ViewOfUnit(state, project);
  view.warning = overbooked.Of(project);
  view.requested = Sums(state.RequestedBy(project.id));
  if (Ptr<Department> parent = state.Find<Department>(project.department)) {
    view.parent = {std::to_string(parent->id.value), parent->name};
  }
  view.requested_namespace = project.requested_namespace;
  view.work_access = project.work_access;
  view.clusters = control::ClustersOf(project);
  view.effective_rules = control::EffectiveRules(state, project);
  view.effective_pools = control::EffectivePools(state, project);
  return view;
}

wire::OrgUnitView ViewOf(const control::State& state, const control::Overbooked& overbooked,
                         const Department& department) {
  wire::OrgUnitView view = ViewOfUnit(state, department);
  view.warning = overbooked.Of(department);
  view.fairness = department.fairness;
  state.Of<Project>().Each([&](const Project& project) {
    if (project.department != department.id) return;
    view.children.emplace_back(std::to_string(project.id.value), project.name);
    Add(view.requested, Sums(state.RequestedBy(project.id)));
  });
  return view;
}

Result<control::OrgUnitDraft> ReadDraft(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(wire::OrgUnitBody unit, wire::ReadOrgUnit(body));
  control::OrgUnitDraft draft{.name = std::move(unit.name),
                              .description = std::move(unit.description),
                              .resources = std::move(unit.resources),
                              .rules = unit.rules,
                              .default_pools = std::move(unit.default_pools),
                              .node_types = std::move(unit.node_types),
                              .fairness = unit.fairness,
                              .work_access = unit.work_access,
                              .reclaim_min_runtime = unit.reclaim_min_runtime,
                              .preempt_min_runtime = unit.preempt_min_runtime,
                              .requested_namespace = std::move(unit.requested_namespace)};
  if (unit.cluster) draft.cluster = ClusterId{*unit.cluster};
  if (unit.clusters) {
    draft.clusters.emplace();
    for (const Uuid& id : *unit.clusters) draft.clusters->push_back(ClusterId{id});
  }
  if (unit.parent) draft.department = DepartmentId{*unit.parent};
  return draft;
}

Result<std::vector<PoolQuota>> ReadQuotaBody(Call& call) {
  YARD_ASSIGN(json::value body, call.AnyBody());
  return wire::ReadQuotas(body.as_array());
}

http::Reply QuotaReply(const control::State& state, const OrgUnit& unit) {
  std::string out;
  wire::Writer w(out);
  wire::WriteQuotas(w, NameQuotas(state, unit));
  return Json(std::move(out));
}

}  // namespace yard::api
