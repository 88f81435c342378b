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

}  // namespace

wire::OrgUnitView ViewOf(const control::State& state, const Project& project) {
  wire::OrgUnitView view{.unit = &project, .id = std::to_string(project.id.value)};
  view.quotas = NameQuotas(state, project);
  view.requested = Sums(state.RequestedBy(project.id));
  if (Ptr<Department> parent = state.Find<Department>(project.department)) {
    view.parent = {std::to_string(parent->id.value), parent->name};
  }
  view.requested_namespace = project.requested_namespace;
  view.effective_rules = control::EffectiveRules(state, project);
  view.effective_pools = control::EffectivePools(state, project);
  return view;
}

wire::OrgUnitView ViewOf(const control::State& state, const Department& department) {
  wire::OrgUnitView view{.unit = &department, .id = std::to_string(department.id.value)};
  view.quotas = NameQuotas(state, department);
  view.fairness = department.fairness;
  state.Of<Project>().Each([&](const Project& project) {
    if (project.department != department.id) return;
    view.children.emplace_back(std::to_string(project.id.value), project.name);
    wire::QuotaSums sums = Sums(state.RequestedBy(project.id));
    view.requested.gpu += sums.gpu;
    view.requested.cpu += sums.cpu;
    view.requested.memory += sums.memory;
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
