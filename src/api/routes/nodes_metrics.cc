// Measurements of clusters, node pools, nodes, departments and projects.
//
// Only what the state itself knows is answered: totals and quotas as they are now. What would
// have to be measured on machines has no values until something measures it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "api/routes/groups.h"
#include "api/routes/infra_views.h"
#include "api/routes/nodes_sums.h"
#include "base/strings.h"
#include "control/infra.h"
#include "control/org.h"

namespace yard::api {
namespace {

using control::State;

// The kinds of measurement asked for, and the time they are asked for.
struct MetricsQuery {
  std::vector<std::string> types;
  Time start;
  Time end;
};

Result<Time> TimeIn(const Call& call, std::string_view name) {
  std::optional<std::string_view> text = call.Query(name);
  std::optional<Time> time = text ? ParseRfc3339(*text) : std::nullopt;
  if (time) return *time;
  return Fail(Code::kInvalid, fmt::format("{} must be a time such as 2026-11-15T08:30:00Z", name),
              "give start and end of the period");
}

Result<MetricsQuery> ReadQuery(const Call& call, std::span<const std::string_view> known) {
  MetricsQuery query;
  YARD_ASSIGN(query.start, TimeIn(call, "start"));
  YARD_ASSIGN(query.end, TimeIn(call, "end"));
  if (query.end < query.start) return Fail(Code::kInvalid, "end must not be before start");
  for (const auto& [name, value] : call.query()) {
    if (name != "metricType") continue;
    for (std::string_view type : Split(value, ',')) query.types.emplace_back(type);
  }
  if (query.types.empty()) {
    return Fail(Code::kInvalid, "metricType is required",
                fmt::format("one or more of {}", fmt::join(known, ", ")));
  }
  for (const std::string& type : query.types) {
    if (std::ranges::find(known, type) != known.end()) continue;
    return Fail(Code::kInvalid, fmt::format("metricType: '{}' is not known", type),
                fmt::format("one or more of {}", fmt::join(known, ", ")));
  }
  return query;
}

// One measurement per type: the present value if the period includes the present.
template <class ValueNow>
http::Reply MetricsReply(const Call& call, const MetricsQuery& query, ValueNow value_now) {
  std::vector<wire::Measurement> measurements;
  bool includes_now = query.start <= call.now() && call.now() <= query.end;
  for (const std::string& type : query.types) {
    wire::Measurement measurement{.type = type};
    std::optional<double> value = includes_now ? value_now(type) : std::nullopt;
    if (value) measurement.values.emplace_back(call.now(), *value);
    measurements.push_back(std::move(measurement));
  }
  std::string out;
  wire::Writer w(out);
  wire::WriteMeasurements(w, measurements);
  return Json(std::move(out));
}

constexpr std::array<std::string_view, 11> kClusterTypes{"TOTAL_GPU_NODES",
                                                         "GPU_UTILIZATION",
                                                         "GPU_UTILIZATION_DISTRIBUTION",
                                                         "GPU_MEMORY_UTILIZATION",
                                                         "CPU_UTILIZATION",
                                                         "CPU_MEMORY_UTILIZATION",
                                                         "TOTAL_GPU",
                                                         "GPU_QUOTA",
                                                         "ALLOCATED_GPU",
                                                         "UNALLOCATED_GPU",
                                                         "AVG_WORKLOAD_WAIT_TIME"};
constexpr std::array<std::string_view, 13> kNodeTypes{"GPU_UTILIZATION",
                                                      "GPU_UTILIZATION_PER_GPU",
                                                      "GPU_MEMORY_UTILIZATION",
                                                      "GPU_MEMORY_UTILIZATION_PER_GPU",
                                                      "GPU_MEMORY_USAGE_BYTES",
                                                      "GPU_MEMORY_USAGE_BYTES_PER_GPU",
                                                      "CPU_USAGE_CORES",
                                                      "CPU_UTILIZATION",
                                                      "CPU_MEMORY_USAGE_BYTES",
                                                      "CPU_MEMORY_UTILIZATION",
                                                      "GPU_OOMKILL_BURST_COUNT_PER_GPU",
                                                      "GPU_OOMKILL_IDLE_COUNT_PER_GPU",
                                                      "GPU_OOMKILL_SWAP_OUT_OF_RAM_COUNT_PER_GPU"};
constexpr std::array<std::string_view, 6> kUnitTypes{
    "GPU_QUOTA",      "CPU_QUOTA_MILLICORES",      "CPU_MEMORY_QUOTA_MB",
    "GPU_ALLOCATION", "CPU_ALLOCATION_MILLICORES", "CPU_MEMORY_ALLOCATION_MB"};

// What is known of a cluster or one of its pools without measuring.
std::optional<double> ClusterValue(const State& state, const NodeFilter& filter,
                                   const std::string& type) {
  NodeSums sums = SumNodes(state, filter);
  if (type == "TOTAL_GPU_NODES") return sums.gpu_nodes;
  if (type == "TOTAL_GPU") return sums.gpus;
  if (type == "ALLOCATED_GPU") return sums.allocated_gpus;
  if (type == "UNALLOCATED_GPU") return std::max(0.0, sums.gpus - sums.allocated_gpus);
  if (type == "GPU_QUOTA") {
    double gpus = 0;
    state.Of<Department>().Each([&](const Department& department) {
      if (department.cluster != filter.cluster) return;
      gpus += SumQuota(department, filter.pool).gpus.value_or(0);
    });
    return gpus;
  }
  return std::nullopt;
}

Result<Answer> ClusterMetrics(Call& call) {
  YARD_ASSIGN(ClusterId id, ClusterIdOf(call));
  YARD_ASSIGN(Ptr<Cluster> cluster, control::GetCluster(call.state(), id));
  YARD_TRY(RequireInside(call, id));
  YARD_ASSIGN(MetricsQuery query, ReadQuery(call, kClusterTypes));
  return MetricsReply(call, query, [&](const std::string& type) {
    return ClusterValue(call.state(), {.cluster = id}, type);
  });
}

Result<Answer> PoolMetrics(Call& call) {
  YARD_ASSIGN(ClusterId id, ClusterIdOf(call));
  YARD_TRY(RequireInside(call, id));
  Ptr<NodePool> pool = FindPool(call.state(), id, call.Path("nodepoolName"));
  if (!pool) {
    return Fail(Code::kNotFound,
                fmt::format("there is no node pool '{}'", call.Path("nodepoolName")));
  }
  YARD_ASSIGN(MetricsQuery query, ReadQuery(call, kClusterTypes));
  return MetricsReply(call, query, [&](const std::string& type) {
    return ClusterValue(call.state(), {.cluster = id, .pool = pool->id}, type);
  });
}

Result<Answer> NodeMetrics(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  YARD_ASSIGN(Ptr<Node> node, control::GetNode(call.state(), id));
  YARD_TRY(RequireInside(call, node->cluster));
  YARD_ASSIGN(MetricsQuery query, ReadQuery(call, kNodeTypes));
  return MetricsReply(call, query, [](const std::string&) { return std::optional<double>(); });
}

std::optional<double> UnitValue(const QuotaTotals& quota, const control::Held& held,
                                const std::string& type) {
  if (type == "GPU_QUOTA") return quota.gpus;
  if (type == "CPU_QUOTA_MILLICORES") return quota.millicores;
  if (type == "CPU_MEMORY_QUOTA_MB") return quota.megabytes;
  if (type == "GPU_ALLOCATION") return static_cast<double>(held.gpu.value) / 1000;
  if (type == "CPU_ALLOCATION_MILLICORES") return static_cast<double>(held.cpu.value);
  return Megabytes(held.memory);
}

template <class Unit>
Result<Answer> UnitMetrics(Call& call, const Unit& unit) {
  YARD_ASSIGN(MetricsQuery query, ReadQuery(call, kUnitTypes));
  std::optional<NodePoolId> pool;
  if (auto name = call.Query("nodepoolName")) {
    Ptr<NodePool> found = FindPool(call.state(), unit.cluster, *name);
    if (!found) return Fail(Code::kNotFound, fmt::format("there is no node pool '{}'", *name));
    pool = found->id;
  }
  QuotaTotals quota = SumQuota(unit, pool);
  control::Held held = call.state().holdings().Of(unit, pool).all;
  return MetricsReply(call, query,
                      [&](const std::string& type) { return UnitValue(quota, held, type); });
}

Result<Answer> ProjectMetrics(Call& call) {
  ProjectId id{ParseInt(call.Path("projectId")).value_or(0)};
  YARD_ASSIGN(Ptr<Project> project, control::GetProject(call.state(), id));
  YARD_TRY(call.Require(call.state().PathOf(*project)));
  return UnitMetrics(call, *project);
}

Result<Answer> DepartmentMetrics(Call& call) {
  DepartmentId id{ParseInt(call.Path("departmentId")).value_or(0)};
  YARD_ASSIGN(Ptr<Department> department, control::GetDepartment(call.state(), id));
  YARD_TRY(call.Require(call.state().PathOf(*department)));
  return UnitMetrics(call, *department);
}

std::vector<QueryParameter> MetricsParameters() {
  return {{"start", "time", true},
          {"end", "time", true},
          {"metricType", "string", true},
          {"numberOfSamples", "int(0..1000)"}};
}

}  // namespace

void AddMetricsRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  using enum Resource;
  auto add = [&](std::string_view path, Resource resource, RouteHandler handler,
                 std::string_view summary) {
    routes.push_back({kGet, path, May(Action::kRead, resource), handler, summary, "",
                      "Measurements", 200, MetricsParameters()});
  };
  add("/api/v1/clusters/{clusterUuid}/metrics", kCluster, ClusterMetrics,
      "Measurements of a cluster");
  add("/api/v1/clusters/{clusterUuid}/nodepools/{nodepoolName}/metrics", kNodePools, PoolMetrics,
      "Measurements of a node pool");
  add("/api/v1/nodes/{nodeId}/metrics", kNodes, NodeMetrics, "Measurements of a node");
  add("/api/v1/org-unit/projects/{projectId}/metrics", kProject, ProjectMetrics,
      "Measurements of a project");
  add("/api/v1/org-unit/departments/{departmentId}/metrics", kDepartment, DepartmentMetrics,
      "Measurements of a department");
}

}  // namespace yard::api
