// Telemetry: present numbers, grouped. What nobody has measured has no values.
#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/nodes/infra_views.h"
#include "api/nodes/nodes_idle.h"
#include "api/nodes/nodes_sums.h"
#include "base/strings.h"
#include "serve/server.h"

namespace yard::api {
namespace {

using Groups = std::vector<wire::TelemetryGroup>;

Error UnknownName(std::string_view parameter, std::string_view name) {
  return {Code::kInvalid, fmt::format("{}: '{}' is not known", parameter, name),
          "see /openapi.json for the names"};
}

Result<std::string> TypeOf(const Call& call) {
  if (auto type = call.Query("telemetryType")) return std::string(*type);
  return Fail(Code::kInvalid, "telemetryType is required");
}

std::vector<std::string> GroupByOf(const Call& call) {
  std::vector<std::string> keys;
  for (const auto& [name, value] : call.query()) {
    if (name != "groupBy" || value.empty()) continue;
    for (std::string_view key : Split(value, ',')) keys.emplace_back(key);
  }
  return keys;
}

http::Reply TelemetryReply(const wire::Telemetry& telemetry) {
  std::string out;
  wire::Writer w(out);
  wire::WriteTelemetry(w, telemetry);
  return Json(std::move(out));
}

// Adds up values that have the same groups.
class Sums {
 public:
  void Add(const Groups& groups, double value) {
    std::string key;
    for (const wire::TelemetryGroup& group : groups) key += group.value + "\n";
    auto [at, fresh] = values_.try_emplace(key, wire::TelemetryValue{0, groups});
    at->second.value += value;
  }
  std::vector<wire::TelemetryValue> Take() {
    std::vector<wire::TelemetryValue> values;
    values.reserve(values_.size());
    for (auto& [key, value] : values_) values.push_back(std::move(value));
    return values;
  }

 private:
  std::map<std::string, wire::TelemetryValue> values_;
};

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr std::string_view kIdleGpus = "IDLE_ALLOCATED_GPUS";

enum class Knowledge { kKnown, kNotMeasured, kNoSuchType };

// One node's part of a number.
Knowledge NodeValue(const std::string& type, const NodeSums& sums, const control::Held& held,
                    double& value) {
  const std::map<std::string_view, double> known{
      {"READY_GPU_NODES", sums.ready_gpu_nodes},
      {"READY_GPUS", sums.ready_gpus},
      {"TOTAL_GPU_NODES", sums.gpu_nodes},
      {"TOTAL_GPUS", sums.gpus},
      {"FREE_GPUS", std::max(0.0, sums.ready_gpus - Devices(held.gpu))},
      {"ALLOCATED_GPUS", Devices(held.gpu)},
      {"ALLOCATED_CPU_CORES", static_cast<double>(held.cpu.value) / 1000},
      {"ALLOCATED_CPU_MEMORY_BYTES", static_cast<double>(held.memory.value) * kMebibyte},
      {"TOTAL_CPU_CORES", sums.cpu_cores},
      {"TOTAL_GPU_MEMORY_BYTES", sums.gpu_memory_bytes},
      {"TOTAL_CPU_MEMORY_BYTES", sums.memory_bytes}};
  auto found = known.find(type);
  if (found != known.end()) {
    value = found->second;
    return Knowledge::kKnown;
  }
  bool measured = type == kIdleGpus || type == "USED_CPU_CORES" ||
                  type == "USED_GPU_MEMORY_BYTES" || type == "USED_CPU_MEMORY_BYTES";
  return measured ? Knowledge::kNotMeasured : Knowledge::kNoSuchType;
}

Result<Groups> NodeGroups(const Call& call, const Node& node) {
  Groups groups;
  for (const std::string& key : GroupByOf(call)) {
    if (key == "ClusterId") {
      Ptr<Cluster> cluster = call.state().Find<Cluster>(node.cluster);
      groups.push_back({key, FormatUuid(node.cluster.value), cluster ? cluster->name : ""});
    } else if (key == "Nodepool") {
      std::string name = PoolNameOf(call.state(), node);
      groups.push_back({key, name, name});
    } else if (key == "Node") {
      groups.push_back({key, node.name, node.name});
    } else {
      return Fail(UnknownName("groupBy", key));
    }
  }
  return groups;
}

bool WantsNode(const Call& call, const Node& node) {
  auto cluster = call.Query("clusterId");
  auto pool = call.Query("nodepoolName");
  return SeesInside(call, Resource::kNodes, node.cluster) &&
         (!cluster || ParseUuid(*cluster) == node.cluster.value) &&
         (!pool || PoolNameOf(call.state(), node) == *pool);
}

// Held GPUs that do nothing, as far as engines measure it.
Result<Answer> IdleTelemetry(Call& call, control::Live& live) {
  return OnLive([&call, &live]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::vector<control::LiveNode> nodes, live.Nodes());
    const IdleByNode idle = CountIdle(call.state(), nodes);
    Sums sums;
    Status status;
    call.state().Of<Node>().Each([&](const Node& node) {
      auto counted = idle.find({node.cluster, node.name});
      if (counted == idle.end() || !WantsNode(call, node)) return true;
      Result<Groups> groups = NodeGroups(call, node);
      if (groups) sums.Add(*groups, static_cast<double>(counted->second));
      if (!groups) status = std::unexpected(groups.error());
      return groups.has_value();
    });
    YARD_TRY(status);
    call.NeedsNoScope();
    return TelemetryReply({std::string(kIdleGpus), call.now(), sums.Take()});
  });
}

Result<Answer> NodeTelemetry(Call& call) {
  YARD_ASSIGN(std::string type, TypeOf(call));
  control::Live* live = call.server().context().live;
  if (type == kIdleGpus && live != nullptr) return IdleTelemetry(call, *live);
  double value = 0;
  Knowledge knowledge = NodeValue(type, {}, {}, value);
  if (knowledge == Knowledge::kNoSuchType) return Fail(UnknownName("telemetryType", type));
  Sums sums;
  if (knowledge == Knowledge::kKnown && GroupByOf(call).empty()) sums.Add({}, 0);
  Status status;
  call.state().Of<Node>().Each([&](const Node& node) {
    if (knowledge != Knowledge::kKnown || !WantsNode(call, node)) return true;
    Result<Groups> groups = NodeGroups(call, node);
    if (!groups) {
      status = std::unexpected(groups.error());
      return false;
    }
    NodeValue(type, SumNodes(call.state(), {.node = node.id}), call.state().holdings().On(node),
              value);
    sums.Add(*groups, value);
    return true;
  });
  YARD_TRY(status);
  call.NeedsNoScope();
  return TelemetryReply({type, call.now(), sums.Take()});
}

// A department or project as telemetry sees it.
struct Unit {
  const OrgUnit* unit;
  std::string id;
  std::string_view id_key;  // "ProjectId" or "DepartmentId"
  std::function<control::UnitHeld(NodePoolId)> held;
  std::optional<DepartmentId> parent = std::nullopt;
};

std::optional<double> UnitQuota(const std::string& type, const QuotaTotals& totals) {
  if (type == "GPU_QUOTA") return totals.gpus;
  if (type == "CPU_QUOTA") return totals.millicores;
  if (type == "MEMORY_QUOTA") return totals.megabytes;
  return std::nullopt;
}

double HeldOf(const std::string& type, const control::Held& held) {
  if (type.starts_with("GPU_")) return Devices(held.gpu);
  return type.starts_with("CPU_") ? static_cast<double>(held.cpu.value) : Megabytes(held.memory);
}

// A quota, which may be unlimited, or what is held now.
std::optional<double> UnitValue(const std::string& type, const Unit& unit, NodePoolId pool) {
  if (type.ends_with("_QUOTA")) return UnitQuota(type, SumQuota(*unit.unit, pool));
  control::UnitHeld held = unit.held(pool);
  return HeldOf(type, type.ends_with("_NON_PREEMPTIBLE") ? held.lasting : held.all);
}

Result<Groups> UnitGroups(const Call& call, const Unit& unit, const NodePool& pool) {
  Groups groups;
  for (const std::string& key : GroupByOf(call)) {
    if (key == "ClusterId") {
      Ptr<Cluster> cluster = call.state().Find<Cluster>(unit.unit->cluster);
      groups.push_back({key, FormatUuid(unit.unit->cluster.value), cluster ? cluster->name : ""});
    } else if (key == "NodepoolId" || key == "Nodepool") {
      groups.push_back({key, std::to_string(pool.id.value), pool.name});
    } else if (key == "ParentId" || (key == "DepartmentId" && unit.parent)) {
      Ptr<Department> parent = unit.parent ? call.state().Find<Department>(*unit.parent) : nullptr;
      groups.push_back(
          {key, parent ? std::to_string(parent->id.value) : "", parent ? parent->name : ""});
    } else if (key == unit.id_key) {
      groups.push_back({key, unit.id, unit.unit->name});
    } else {
      return Fail(UnknownName("groupBy", key));
    }
  }
  return groups;
}

bool WantsPool(const Call& call, const NodePool& pool) {
  auto name = call.Query("nodepoolName");
  auto id = call.Query("nodepoolId");
  return (!name || pool.name == *name) && (!id || std::to_string(pool.id.value) == *id);
}

Status AddUnit(const Call& call, const Unit& unit, const std::string& type, Sums& sums) {
  auto cluster = call.Query("clusterId");
  if (cluster && ParseUuid(*cluster) != unit.unit->cluster.value) return {};
  for (const PoolQuota& quota : unit.unit->resources) {
    Ptr<NodePool> pool = call.state().Find<NodePool>(quota.pool);
    if (!pool || !WantsPool(call, *pool)) continue;
    YARD_ASSIGN(Groups groups, UnitGroups(call, unit, *pool));
    // An unlimited quota is no number, so it adds none.
    if (auto value = UnitValue(type, unit, quota.pool)) sums.Add(groups, *value);
  }
  return {};
}

Status CheckUnitType(const std::string& type) {
  for (std::string_view resource : {"GPU", "CPU", "MEMORY"}) {
    for (std::string_view what : {"QUOTA", "ALLOCATION", "ALLOCATION_NON_PREEMPTIBLE"}) {
      if (type == fmt::format("{}_{}", resource, what)) return {};
    }
  }
  return Fail(UnknownName("telemetryType", type));
}

Result<Answer> ProjectTelemetry(Call& call) {
  YARD_ASSIGN(std::string type, TypeOf(call));
  YARD_TRY(CheckUnitType(type));
  auto department = call.Query("departmentId");
  Sums sums;
  Status status;
  call.state().Of<Project>().Each([&](const Project& project) {
    bool wanted = !department || std::to_string(project.department.value) == *department;
    if (!wanted || !call.Sees(call.state().PathOf(project))) return true;
    auto held = [&](NodePoolId pool) { return call.state().holdings().Of(project, pool); };
    Unit unit{&project, std::to_string(project.id.value), "ProjectId", held, project.department};
    status = AddUnit(call, unit, type, sums);
    return status.has_value();
  });
  YARD_TRY(status);
  call.NeedsNoScope();
  return TelemetryReply({type, call.now(), sums.Take()});
}

Result<Answer> DepartmentTelemetry(Call& call) {
  YARD_ASSIGN(std::string type, TypeOf(call));
  YARD_TRY(CheckUnitType(type));
  auto wanted = call.Query("departmentId");
  Sums sums;
  Status status;
  call.state().Of<Department>().Each([&](const Department& department) {
    std::string id = std::to_string(department.id.value);
    if ((wanted && *wanted != id) || !call.Sees(call.state().PathOf(department))) return true;
    auto held = [&](NodePoolId pool) { return call.state().holdings().Of(department, pool); };
    status = AddUnit(call, {&department, id, "DepartmentId", held}, type, sums);
    return status.has_value();
  });
  YARD_TRY(status);
  call.NeedsNoScope();
  return TelemetryReply({type, call.now(), sums.Take()});
}

}  // namespace

void AddTelemetryRoutes(std::vector<Route>& routes) {
  using enum Resource;
  auto add = [&](std::string_view path, Resource resource, serve::RouteHandler handler,
                 std::string_view summary) {
    routes.push_back({http::Method::kGet,
                      path,
                      May(Action::kRead, resource),
                      handler,
                      summary,
                      "",
                      "Telemetry",
                      200,
                      {{"telemetryType", "string", true},
                       {"groupBy", "string"},
                       {"clusterId", "uuid"},
                       {"nodepoolName", "string"}}});
  };
  add("/api/v1/nodes/telemetry", kNodes, NodeTelemetry, "Present numbers of nodes");
  add("/api/v1/org-unit/projects/telemetry", kProject, ProjectTelemetry,
      "Present numbers of projects");
  add("/api/v1/org-unit/departments/telemetry", kDepartment, DepartmentTelemetry,
      "Present numbers of departments");
}

}  // namespace yard::api
