#include "wire/org.h"

#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "wire/reader.h"
#include "wire/visit_org.h"

namespace yard::wire {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

// Bytes of one unit of memory quota.
double UnitBytes(std::string_view units) {
  if (units == "MB") return 1e6;
  if (units == "GB") return 1e9;
  return kMebibyte;
}

std::optional<double> Number(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  double number = value->to_number<double>();
  // -1 is Run:ai's way of saying "no bound".
  return number < 0 ? std::nullopt : std::optional(number);
}

template <class Amount>
Share<Amount> ReadShare(const json::object& object, double factor) {
  auto amount = [&](std::string_view name) -> std::optional<Amount> {
    std::optional<double> number = Number(object, name);
    if (!number) return std::nullopt;
    return Amount(static_cast<std::int64_t>(std::llround(*number * factor)));
  };
  Share<Amount> share{amount("deserved"), amount("limit"), std::nullopt};
  if (auto weight = Number(object, "overQuotaWeight"))
    share.over_quota_weight_milli = std::llround(*weight * 1000);
  return share;
}

const json::object* Object(const json::object& parent, std::string_view name) {
  const json::value* value = parent.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

Result<PoolQuota> ReadQuota(const json::object& object) {
  PoolQuota quota;
  const json::object* pool = Object(object, "nodePool");
  if (pool == nullptr)
    return Fail(Code::kInvalid, "resources: nodePool is required", "name the pool by its id");
  std::optional<std::int64_t> id = ParseInt(std::string_view(pool->at("id").as_string()));
  if (!id)
    return Fail(Code::kInvalid, "resources: nodePool.id must be a number in quotes",
                "see GET /api/v1/node-pools for the ids");
  quota.pool = NodePoolId{*id};
  quota.gpu = ReadShare<MilliGpu>(object.at("gpu").as_object(), 1000);
  // Millicores are what the contract counts CPU quota in.
  if (const json::object* cpu = Object(object, "cpu")) quota.cpu = ReadShare<MilliCpu>(*cpu, 1);
  if (const json::object* memory = Object(object, "memory")) {
    quota.memory_units = std::string_view(memory->at("units").as_string());
    quota.memory = ReadShare<Mebibytes>(*memory, UnitBytes(quota.memory_units) / kMebibyte);
  }
  if (const json::value* priority = object.if_contains("priority");
      priority != nullptr && priority->is_string()) {
    quota.priority = std::string(std::string_view(priority->as_string()));
  }
  return quota;
}

template <class Amount>
void WriteShare(Writer& w, std::string_view name, const Share<Amount>& share, double factor,
                std::string_view units) {
  auto amount = [&](const std::optional<Amount>& a) {
    return a ? static_cast<double>(a->value) / factor : -1.0;
  };
  w.Key(name);
  w.Begin();
  w("deserved", amount(share.deserved));
  w("limit", amount(share.limit));
  w("overQuotaWeight", static_cast<double>(share.over_quota_weight_milli.value_or(2000)) / 1000);
  if (!units.empty()) w("units", units);
  w.End();
}

void WriteSums(Writer& w, std::string_view name, const QuotaSums& sums) {
  w.Key(name);
  w.Begin();
  w("gpu", static_cast<double>(sums.gpu.value) / 1000);
  w("cpu", sums.cpu.value);
  w("memory", sums.memory.value);
  w.End();
}

// How much of a pool is asked for is not said: a request may be met in any of several.
void WriteQuotaStatus(Writer& w, const OrgUnitView& view) {
  w.Key("nodePoolQuotaStatuses");
  w.BeginList();
  for (const PoolStatus& status : view.pools) {
    w.Item();
    w.Begin();
    w("nodePoolName", status.name);
    w("nodePoolId", std::to_string(status.pool.value));
    WriteSums(w, "allocated", status.allocated);
    WriteSums(w, "allocatedNonPreemptible", status.allocated_non_preemptible);
    w.End();
  }
  w.EndList();
  w.Key("quotaStatus");
  w.Begin();
  WriteSums(w, "allocated", view.allocated);
  WriteSums(w, "allocatedNonPreemptible", view.allocated_non_preemptible);
  WriteSums(w, "requested", view.requested);
  w.End();
}

// The sum of the quotas; null where one of them is unlimited.
template <class Get>
void WriteTotal(Writer& w, std::string_view name, const OrgUnitView& view, Get get) {
  std::optional<double> total = 0.0;
  for (const NamedQuota& q : view.quotas) {
    std::optional<double> one = get(*q.quota);
    total = total && one ? std::optional(*total + *one) : std::nullopt;
  }
  w.OrNull(name, total);
}

void WriteTotals(Writer& w, const OrgUnitView& view) {
  auto value = [](const auto& amount, double factor) {
    return amount ? std::optional(static_cast<double>(amount->value) / factor) : std::nullopt;
  };
  w.Key("totalResources");
  w.Begin();
  WriteTotal(w, "gpuQuota", view, [&](const PoolQuota& q) { return value(q.gpu.deserved, 1000); });
  WriteTotal(w, "cpuQuota", view, [&](const PoolQuota& q) { return value(q.cpu.deserved, 1); });
  WriteTotal(w, "memoryQuota", view,
             [&](const PoolQuota& q) { return value(q.memory.deserved, 1); });
  w.End();
}

void WriteUnit(Writer& w, const OrgUnitView& view) {
  const OrgUnit& unit = *view.unit;
  w("id", view.id);
  w("name", unit.name);
  w("description", unit.description);
  w("clusterId", unit.cluster);
  w.Key("resources");
  WriteQuotas(w, view.quotas);
  w.OrNull("schedulingRules", unit.rules);
  w.OrNull("defaultNodePools", unit.default_pools);
  w.OrNull("nodeTypes", unit.node_types);
  w.OrNull("reclaimMinRuntimeSeconds", unit.reclaim_min_runtime);
  w.OrNull("preemptMinRuntimeSeconds", unit.preempt_min_runtime);
  w("createdAt", unit.stamp.created_at);
  w("updatedAt", unit.stamp.updated_at);
  w("createdBy", unit.stamp.created_by);
  w("updatedBy", unit.stamp.updated_by);
  WriteTotals(w, view);
}

void WriteName(Writer& w, const std::pair<std::string, std::string>& id_and_name) {
  w.Begin();
  w("id", id_and_name.first);
  w("name", id_and_name.second);
  w.End();
}

}  // namespace

Result<std::vector<PoolQuota>> ReadQuotas(const json::array& list) {
  std::vector<PoolQuota> quotas;
  for (const json::value& item : list) {
    YARD_ASSIGN(PoolQuota quota, ReadQuota(item.as_object()));
    quotas.push_back(std::move(quota));
  }
  return quotas;
}

Result<OrgUnitBody> ReadOrgUnit(const json::object& body) {
  OrgUnitBody unit;
  std::vector<FieldIssue> issues;
  Reader reader(body, "", issues);
  reader("name", unit.name);
  reader("clusterId", unit.cluster);
  reader("description", unit.description);
  reader("schedulingRules", unit.rules);
  reader("defaultNodePools", unit.default_pools);
  reader("nodeTypes", unit.node_types);
  reader("requestedNamespace", unit.requested_namespace);
  reader("clusters", unit.clusters);
  auto if_said = [&](std::string_view name, auto& field) {
    if (body.contains(name)) reader(name, field.emplace());
  };
  if_said("fairness", unit.fairness);
  if_said("workAccess", unit.work_access);
  if_said("reclaimMinRuntimeSeconds", unit.reclaim_min_runtime);
  if_said("preemptMinRuntimeSeconds", unit.preempt_min_runtime);
  std::optional<std::string> parent;
  reader("parentId", parent);
  if (parent && !parent->empty()) {
    unit.parent = ParseInt(*parent);
    if (!unit.parent)
      return Fail(Code::kInvalid, "parentId must be a number in quotes",
                  "see GET /api/v1/org-unit/departments for the ids");
  }
  YARD_ASSIGN(unit.resources, ReadQuotas(body.at("resources").as_array()));
  return unit;
}

void WriteQuotas(Writer& w, const std::vector<NamedQuota>& quotas) {
  w.BeginList();
  for (const NamedQuota& named : quotas) {
    const PoolQuota& quota = *named.quota;
    w.Item();
    w.Begin();
    w.Key("nodePool");
    WriteName(w, {std::to_string(quota.pool.value), std::string(named.pool_name)});
    WriteShare(w, "gpu", quota.gpu, 1000, "");
    WriteShare(w, "cpu", quota.cpu, 1, "");
    WriteShare(w, "memory", quota.memory,
               UnitBytes(quota.memory_units) / kMebibyte == 1
                   ? 1
                   : kMebibyte / UnitBytes(quota.memory_units),
               quota.memory_units);
    w.OrNull("priority", quota.priority);
    w.End();
  }
  w.EndList();
}

void WriteProject(Writer& w, const OrgUnitView& view) {
  w.Begin();
  WriteUnit(w, view);
  w("parentId", view.parent ? view.parent->first : "");
  w.OrNull("requestedNamespace", view.requested_namespace);
  w.OrNull("workAccess", view.work_access);
  w("clusters", view.clusters);
  if (view.parent) {
    w.Key("parent");
    WriteName(w, *view.parent);
  }
  w.Key("status");
  w.Begin();
  w("namespace", view.requested_namespace.value_or("runai-" + view.unit->name));
  w("phase", "Ready");
  w.OrNull("phaseMessage", view.warning);
  w("lastUpdatedTime", view.unit->stamp.updated_at);
  WriteQuotaStatus(w, view);
  w.End();
  w.Key("effective");
  w.Begin();
  w("schedulingRules", view.effective_rules);
  w("defaultNodePools", view.effective_pools);
  w("nodeTypes", view.unit->node_types.value_or(NodeTypes{}));
  w.End();
  w.End();
}

void WriteDepartment(Writer& w, const OrgUnitView& view) {
  w.Begin();
  WriteUnit(w, view);
  w.OrNull("fairness", view.fairness);
  w.Key("children");
  w.BeginList();
  for (const auto& child : view.children) {
    w.Item();
    WriteName(w, child);
  }
  w.EndList();
  w.Key("status");
  w.Begin();
  w.OrNull("phaseMessage", view.warning);
  WriteQuotaStatus(w, view);
  w.End();
  w.End();
}

}  // namespace yard::wire
