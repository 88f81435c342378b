// Measurements of clusters, node pools, nodes, departments and projects.
//
// What attempts held, used and waited is answered for the whole period, from their records;
// totals and quotas as they are now, since nothing keeps what they were. What would have to be
// measured on machines and is not has no values.
#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/nodes/infra_views.h"
#include "api/nodes/nodes_now.h"
#include "api/nodes/nodes_sums.h"
#include "api/usage/views.h"
#include "base/strings.h"
#include "control/commands/infra.h"
#include "control/commands/org.h"
#include "serve/server.h"

namespace yard::api {
namespace {

using control::State;
using control::UsageHistory;
using control::UsageStep;

constexpr std::int64_t kUsualSamples = 20;

// The kinds of measurement asked for, and the time they are asked for.
struct MetricsQuery {
  std::vector<std::string> types;
  Time start;
  Time end;
  std::size_t samples = kUsualSamples;
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
  const std::int64_t samples =
      ParseInt(call.Query("numberOfSamples").value_or("")).value_or(kUsualSamples);
  query.samples = static_cast<std::size_t>(std::max<std::int64_t>(1, samples));
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

// Whose attempts count.
struct AttemptFilter {
  std::optional<ClusterId> cluster = std::nullopt;
  std::optional<NodePoolId> pool = std::nullopt;
  std::optional<DepartmentId> department = std::nullopt;
  std::optional<ProjectId> project = std::nullopt;

  bool Takes(const Workload& workload, const Attempt& attempt) const {
    return (!cluster || workload.host() == *cluster) && (!pool || attempt.pool == *pool) &&
           (!department || workload.department == *department) &&
           (!project || workload.project == *project);
  }
};

// The past and present of the attempts that a filter takes: one pass over those in memory, and
// over those of the archive that held something within the period.
struct AttemptRecords {
  UsageHistory history;
  control::Held now;
};

ArchiveFilter ArchiveFilterOf(const MetricsQuery& query, const AttemptFilter& filter) {
  ArchiveFilter asked;
  asked.held_within = {query.start, query.end};
  if (filter.project) asked.projects = {*filter.project};
  return asked;
}

Result<AttemptRecords> ReadRecords(Call& call, const MetricsQuery& query,
                                   const AttemptFilter& filter) {
  AttemptRecords records{UsageHistory({query.start, query.end}, query.samples, call.now()), {}};
  control::Live* live = call.server().context().live;
  call.state().Of<Attempt>().Each([&](const Attempt& attempt) {
    Ptr<Workload> workload = call.state().Find<Workload>(attempt.workload);
    if (!workload || !filter.Takes(*workload, attempt)) return;
    records.history.Add(attempt, UseOf(attempt, live), workload->stamp.created_at);
    if (!attempt.end) records.now += control::HeldOf(attempt, *workload);
  });
  const ArchiveFilter asked = ArchiveFilterOf(query, filter);
  YARD_TRY(call.state().archive().Each(asked, [&](const ArchivedWorkload& past) -> Status {
    if (call.state().Find<Workload>(past.workload->id)) return {};
    for (const Ptr<Attempt>& attempt : past.attempts) {
      if (!filter.Takes(*past.workload, *attempt)) continue;
      records.history.Add(*attempt, UseOf(*attempt, live), past.workload->stamp.created_at);
    }
    return {};
  }));
  return records;
}

// A number of one step of the past, by the name of its measurement; null: it has none.
using StepValue = std::optional<double> (*)(const UsageStep& step);
StepValue StepValueOf(std::string_view type) {
  if (type == "ALLOCATED_GPU" || type == "GPU_ALLOCATION") {
    return [](const UsageStep& step) { return std::optional(step.held_milli() / 1000); };
  }
  if (type == "GPU_UTILIZATION") return [](const UsageStep& step) { return step.busy_percent(); };
  if (type == "AVG_WORKLOAD_WAIT_TIME") {
    return [](const UsageStep& step) { return step.wait_seconds(); };
  }
  return nullptr;
}

// Nothing is known of the future: the step that lasts ends now, and none follows.
wire::Measurement PastOf(std::string type, StepValue value_of, const UsageHistory& history,
                         Time now) {
  wire::Measurement measurement{.type = std::move(type)};
  for (const UsageStep& step : history.steps()) {
    if (step.period.from > now) break;
    if (auto value = value_of(step))
      measurement.values.emplace_back(std::min(step.period.to, now), *value);
  }
  return measurement;
}

// One measurement per type: over the period if attempts tell it, else the present value if the
// period includes the present.
template <class ValueNow>
Answer MetricsAnswer(Call& call, MetricsQuery query, AttemptFilter filter, ValueNow value_now) {
  auto work = [&call, query = std::move(query), filter, value_now]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(const AttemptRecords records, ReadRecords(call, query, filter));
    const bool includes_now = query.start <= call.now() && call.now() <= query.end;
    std::vector<wire::Measurement> measurements;
    for (const std::string& type : query.types) {
      if (StepValue value_of = StepValueOf(type)) {
        measurements.push_back(PastOf(type, value_of, records.history, call.now()));
        continue;
      }
      wire::Measurement& measurement = measurements.emplace_back(wire::Measurement{.type = type});
      std::optional<double> value = includes_now ? value_now(type, records.now) : std::nullopt;
      if (value) measurement.values.emplace_back(call.now(), *value);
    }
    std::string out;
    wire::Writer w(out);
    wire::WriteMeasurements(w, measurements);
    return Json(std::move(out));
  };
  return Slow{.work = std::move(work)};
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
                                   const std::string& type, const control::Held& held) {
  NodeSums sums = SumNodes(state, filter);
  if (type == "TOTAL_GPU_NODES") return sums.gpu_nodes;
  if (type == "TOTAL_GPU") return sums.gpus;
  if (type == "UNALLOCATED_GPU") return std::max(0.0, sums.gpus - Devices(held.gpu));
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

Answer ClusterAnswer(Call& call, MetricsQuery query, const NodeFilter& filter) {
  return MetricsAnswer(call, std::move(query), {.cluster = filter.cluster, .pool = filter.pool},
                       [&call, filter](const std::string& type, const control::Held& held) {
                         return ClusterValue(call.state(), filter, type, held);
                       });
}

Result<Answer> ClusterMetrics(Call& call) {
  YARD_ASSIGN(ClusterId id, ClusterIdOf(call));
  YARD_ASSIGN(Ptr<Cluster> cluster, control::GetCluster(call.state(), id));
  YARD_TRY(RequireInside(call, id));
  YARD_ASSIGN(MetricsQuery query, ReadQuery(call, kClusterTypes));
  return ClusterAnswer(call, std::move(query), {.cluster = id});
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
  return ClusterAnswer(call, std::move(query), {.cluster = id, .pool = pool->id});
}

// The node's GPUs now, as the engine sees them; none if nobody can.
std::vector<engine::GpuState> GpusNow(Call& call, const Node& node) {
  control::Live* live = call.server().context().live;
  if (live == nullptr) return {};
  Result<std::vector<control::LiveNode>> nodes = live->Nodes();
  if (!nodes) return {};
  auto found = std::ranges::find_if(*nodes, [&](const control::LiveNode& one) {
    return one.name == node.name && one.cluster == node.cluster;
  });
  return found == nodes->end() ? std::vector<engine::GpuState>{} : std::move(found->gpus);
}

// Nothing is kept by node: its measurements have the present value, if that is asked for.
Result<Answer> NodeMetrics(Call& call) {
  YARD_ASSIGN(NodeId id, NodeIdOf(call));
  YARD_ASSIGN(Ptr<Node> node, control::GetNode(call.state(), id));
  YARD_TRY(RequireInside(call, node->cluster));
  YARD_ASSIGN(MetricsQuery query, ReadQuery(call, kNodeTypes));
  return OnLive([&call, node, query = std::move(query)]() -> Result<Slow::Outcome> {
    const bool includes_now = query.start <= call.now() && call.now() <= query.end;
    std::vector<engine::GpuState> gpus;
    if (includes_now) gpus = GpusNow(call, *node);
    std::vector<wire::Measurement> measurements;
    for (const std::string& type : query.types)
      std::ranges::move(MeasureNow(type, gpus, call.now()), std::back_inserter(measurements));
    std::string out;
    wire::Writer w(out);
    wire::WriteMeasurements(w, measurements);
    return Json(std::move(out));
  });
}

std::optional<double> UnitValue(const QuotaTotals& quota, const std::string& type,
                                const control::Held& held) {
  if (type == "GPU_QUOTA") return quota.gpus;
  if (type == "CPU_QUOTA_MILLICORES") return quota.millicores;
  if (type == "CPU_MEMORY_QUOTA_MB") return quota.megabytes;
  if (type == "CPU_ALLOCATION_MILLICORES") return static_cast<double>(held.cpu.value);
  if (type == "CPU_MEMORY_ALLOCATION_MB") return Megabytes(held.memory);
  return std::nullopt;
}

Result<Answer> UnitMetrics(Call& call, const OrgUnit& unit, AttemptFilter filter) {
  YARD_ASSIGN(MetricsQuery query, ReadQuery(call, kUnitTypes));
  if (auto name = call.Query("nodepoolName")) {
    Ptr<NodePool> found = FindPool(call.state(), unit.cluster, *name);
    if (!found) return Fail(Code::kNotFound, fmt::format("there is no node pool '{}'", *name));
    filter.pool = found->id;
  }
  return MetricsAnswer(
      call, std::move(query), filter,
      [quota = SumQuota(unit, filter.pool)](const std::string& type, const control::Held& held) {
        return UnitValue(quota, type, held);
      });
}

Result<Answer> ProjectMetrics(Call& call) {
  ProjectId id{ParseInt(call.Path("projectId")).value_or(0)};
  YARD_ASSIGN(Ptr<Project> project, control::GetProject(call.state(), id));
  YARD_TRY(call.Require(call.state().PathOf(*project)));
  return UnitMetrics(call, *project, {.project = id});
}

Result<Answer> DepartmentMetrics(Call& call) {
  DepartmentId id{ParseInt(call.Path("departmentId")).value_or(0)};
  YARD_ASSIGN(Ptr<Department> department, control::GetDepartment(call.state(), id));
  YARD_TRY(call.Require(call.state().PathOf(*department)));
  return UnitMetrics(call, *department, {.department = id});
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
  auto add = [&](std::string_view path, Resource resource, serve::RouteHandler handler,
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
