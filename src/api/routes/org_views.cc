#include "api/routes/org_views.h"

#include <boost/json/value.hpp>

namespace yard::api {
namespace {

std::vector<wire::NamedQuota> NameQuotas(const control::State& state, const OrgUnit& unit) {
  std::vector<wire::NamedQuota> named;
  for (const PoolQuota& quota : unit.resources) {
    Ptr<NodePool> pool = state.Find<NodePool>(quota.pool);
    named.push_back({&quota, pool ? pool->name : ""});
  }
  return named;
}

wire::QuotaSums Sums(const control::Usage& usage) {
  return {usage.gpu, usage.cpu, usage.memory};
}

void Add(wire::QuotaSums& sum, const wire::QuotaSums& more) {
  sum.gpu += more.gpu;
  sum.cpu += more.cpu;
  sum.memory += more.memory;
}

}  // namespace

HeldSums::HeldSums(const control::State& state) {
  state.Of<Attempt>().Each([&](const Attempt& attempt) {
    if (attempt.end) return;
    Ptr<Workload> workload = state.Find<Workload>(attempt.workload);
    if (!workload) return;
    const PodRequest total = TotalOf(workload->request);
    const wire::QuotaSums held{HeldBy(attempt), total.cpu, total.memory};
    Amounts& amounts = by_project_[workload->project];
    Add(amounts.all, held);
    if (!workload->preemptible) Add(amounts.lasting, held);
  });
}

HeldSums::Amounts HeldSums::Of(ProjectId project) const {
  auto found = by_project_.find(project);
  return found == by_project_.end() ? Amounts{} : found->second;
}

wire::OrgUnitView ViewOf(const control::State& state, const Project& project,
                         const HeldSums& held) {
  wire::OrgUnitView view{.unit = &project, .id = std::to_string(project.id.value)};
  view.quotas = NameQuotas(state, project);
  view.requested = Sums(state.RequestedBy(project.id));
  view.allocated = held.Of(project.id).all;
  view.allocated_non_preemptible = held.Of(project.id).lasting;
  if (Ptr<Department> parent = state.Find<Department>(project.department)) {
    view.parent = {std::to_string(parent->id.value), parent->name};
  }
  view.requested_namespace = project.requested_namespace;
  view.effective_rules = control::EffectiveRules(state, project);
  view.effective_pools = control::EffectivePools(state, project);
  return view;
}

wire::OrgUnitView ViewOf(const control::State& state, const Department& department,
                         const HeldSums& held) {
  wire::OrgUnitView view{.unit = &department, .id = std::to_string(department.id.value)};
  view.quotas = NameQuotas(state, department);
  view.fairness = department.fairness;
  state.Of<Project>().Each([&](const Project& project) {
    if (project.department != department.id) return;
    view.children.emplace_back(std::to_string(project.id.value), project.name);
    Add(view.requested, Sums(state.RequestedBy(project.id)));
    Add(view.allocated, held.Of(project.id).all);
    Add(view.allocated_non_preemptible, held.Of(project.id).lasting);
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
                              .reclaim_min_runtime = unit.reclaim_min_runtime,
                              .preempt_min_runtime = unit.preempt_min_runtime,
                              .requested_namespace = std::move(unit.requested_namespace)};
  if (unit.cluster) draft.cluster = ClusterId{*unit.cluster};
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
