// Numbers about workloads. What nobody has measured is answered with no values, never with zeros.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/workloads/workload_series.h"
#include "api/workloads/workload_views.h"
#include "base/strings.h"
#include "control/commands/workloads.h"
#include "serve/server.h"

namespace yard::api {
namespace {

constexpr std::int64_t kMostSamples = 1000;

Result<Time> TimeOf(const Call& call, std::string_view name) {
  std::optional<Time> time = ParseRfc3339(call.Query(name).value_or(""));
  if (time) return *time;
  return Fail(Code::kInvalid, fmt::format("{} must be a time such as 2026-11-15T08:30:00Z", name));
}

struct MetricQuery {
  control::Period period;
  std::vector<std::string> types;
  std::int64_t samples = 20;
};

Result<MetricQuery> ReadMetricQuery(const Call& call) {
  MetricQuery query;
  YARD_ASSIGN(query.period.from, TimeOf(call, "start"));
  YARD_ASSIGN(query.period.to, TimeOf(call, "end"));
  if (query.period.to < query.period.from)
    return Fail(Code::kInvalid, "end must not be before start");
  for (const auto& [name, value] : call.query()) {
    if (name != "metricType") continue;
    for (std::string_view type : Split(value, ',')) query.types.emplace_back(type);
  }
  YARD_ASSIGN(std::optional<std::int64_t> samples, NumberOf(call, "numberOfSamples", 0));
  query.samples = std::min(samples.value_or(query.samples), kMostSamples);
  if (!query.types.empty()) return query;
  return Fail(Code::kInvalid, "metricType is required", "name at least one type of metric");
}

// Nothing is known of the future: the first value that would lie there is that of now.
void WriteValues(wire::Writer& w, const std::vector<MetricValue>& values,
                 const control::Period& period, Time now) {
  if (period.from > now) return;
  for (const MetricValue& value : values) {
    w.Item();
    w.Begin();
    w("value", value.value);
    w("timestamp", std::min(value.at, now));
    w.End();
    if (value.at > now) return;
  }
}

std::string RenderMetrics(const MetricQuery& query, const SampledWorkload& sampled, Time now) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("measurements");
  w.BeginList();
  for (const std::string& type : query.types) {
    if (!IsMeasured(type)) continue;
    w.Item();
    w.Begin();
    w("type", type);
    w.Key("values");
    w.BeginList();
    WriteValues(w, ValuesOf(type, sampled, query.period, query.samples), query.period, now);
    w.EndList();
    w.End();
  }
  w.EndList();
  w.End();
  return out;
}

Result<Answer> ReadMetrics(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  YARD_ASSIGN(Ptr<Workload> workload, control::FindWorkload(call.state(), id));
  YARD_TRY(call.Require(call.state().PathOf(*workload)));
  YARD_ASSIGN(MetricQuery query, ReadMetricQuery(call));
  control::Live* live = call.server().context().live;
  SampledWorkload sampled{workload, {}};
  for (const Ptr<Attempt>& attempt : call.state().AttemptsOf(id)) {
    sampled.attempts.push_back({attempt, {}});
  }
  if (live == nullptr) return Json(RenderMetrics(query, sampled, call.now()));
  return OnLive([live, query, sampled, now = call.now()]() mutable -> Result<Slow::Outcome> {
    for (SampledAttempt& one : sampled.attempts) {
      one.series = live->UsageSeriesOf(one.attempt->id);
    }
    return Json(RenderMetrics(query, sampled, now));
  });
}

Result<Answer> PodMetrics(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  YARD_ASSIGN(Ptr<Workload> workload, control::FindWorkload(call.state(), id));
  YARD_TRY(call.Require(call.state().PathOf(*workload)));
  return Fail(Code::kNotFound,
              fmt::format("workload '{}' has no pod {}", workload->name, call.Path("podId")));
}

// One way of grouping: its name and the value (and perhaps name) of a row.
struct Grouping {
  std::string_view name;
  std::string (*value)(const WorkloadRow& row);
  std::string_view (*label)(const WorkloadRow& row);
};
std::string_view NoLabel(const WorkloadRow&) {
  return "";
}
constexpr Grouping kGroupings[] = {
    {"ClusterId", [](const WorkloadRow& r) { return FormatUuid(r.workload->host().value); },
     NoLabel},
    {"DepartmentId",
     [](const WorkloadRow& r) { return std::to_string(r.workload->department.value); },
     [](const WorkloadRow& r) { return std::string_view(r.names->department); }},
    {"ProjectId", [](const WorkloadRow& r) { return std::to_string(r.workload->project.value); },
     [](const WorkloadRow& r) { return std::string_view(r.names->project); }},
    {"Type", [](const WorkloadRow& r) { return std::string(Name(r.workload->type)); }, NoLabel},
    {"CurrentNodepools", [](const WorkloadRow&) { return std::string(); }, NoLabel},
    {"Phase", [](const WorkloadRow& r) { return std::string(Name(r.workload->phase())); }, NoLabel},
};

Result<std::vector<const Grouping*>> GroupingsOf(const Call& call) {
  std::vector<const Grouping*> chosen;
  for (std::string_view name : Split(call.Query("groupBy").value_or(""), ',')) {
    if (name.empty()) continue;
    const Grouping* found = std::ranges::find(kGroupings, name, &Grouping::name);
    if (found == std::end(kGroupings)) {
      return Fail(Code::kInvalid, fmt::format("groupBy: there is no '{}'", name),
                  "possible: ClusterId, DepartmentId, ProjectId, Type, CurrentNodepools, Phase");
    }
    chosen.push_back(found);
  }
  if (chosen.size() > 2) return Fail(Code::kInvalid, "groupBy takes at most two names");
  return chosen;
}

struct Group {
  const WorkloadRow* sample = nullptr;
  std::int64_t count = 0;
  MilliGpu held;
};
using Groups = std::map<std::vector<std::string>, Group>;

bool Wanted(const Call& call, const WorkloadRow& row) {
  std::optional<std::string_view> cluster = call.Query("clusterId");
  std::optional<std::string_view> department = call.Query("departmentId");
  return (!cluster || FormatUuid(row.workload->host().value) == *cluster) &&
         (!department || std::to_string(row.workload->department.value) == *department);
}

void WriteGroups(wire::Writer& w, const Groups& groups,
                 const std::vector<const Grouping*>& groupings, std::string_view type) {
  for (const auto& [values, group] : groups) {
    w.Item();
    w.Begin();
    w("value",
      type == "GPU_ALLOCATION" ? FormatMilli(group.held.value) : std::to_string(group.count));
    w.Key("groups");
    w.BeginList();
    for (std::size_t i = 0; i < groupings.size(); ++i) {
      w.Item();
      w.Begin();
      w("key", groupings[i]->name);
      w("value", values[i]);
      w("name", groupings[i]->label(*group.sample));
      w.End();
    }
    w.EndList();
    w.End();
  }
}

std::optional<WorkloadType> TypeNamed(std::string_view name) {
  for (WorkloadType type : {WorkloadType::kWorkspace, WorkloadType::kTraining,
                            WorkloadType::kDistributed, WorkloadType::kInference}) {
    if (Name(type) == name) return type;
  }
  return std::nullopt;
}

// One of the lives that people see as this phase.
std::optional<Life> LifeShownAs(std::string_view phase) {
  for (int i = 0; i <= static_cast<int>(Life::kDeleting); ++i) {
    if (Name(PhaseOf(static_cast<Life>(i))) == phase) return static_cast<Life>(i);
  }
  return std::nullopt;
}

// Archived work in numbers, as one workload of each kind with its count.
struct CountedKind {
  Workload workload;
  std::int64_t count = 0;
};
Result<std::vector<CountedKind>> ArchivedKinds(const control::State& state) {
  YARD_ASSIGN(std::vector<ArchiveCount> counts, state.archive().Counts());
  std::vector<CountedKind> kinds;
  for (const ArchiveCount& count : counts) {
    std::optional<WorkloadType> type = TypeNamed(count.type);
    std::optional<Life> life = LifeShownAs(count.phase);
    if (count.deleted || !type || !life) continue;
    Workload& workload =
        kinds.emplace_back(CountedKind{.workload = {}, .count = count.workloads}).workload;
    workload.cluster = count.cluster;
    workload.department = count.department;
    workload.project = count.project;
    workload.type = *type;
    workload.life = *life;
  }
  return kinds;
}

Result<Answer> Telemetry(Call& call) {
  std::string_view type = call.Query("telemetryType").value_or("");
  if (type != "WORKLOADS_COUNT" && type != "GPU_ALLOCATION")
    return Fail(Code::kInvalid, "telemetryType must be WORKLOADS_COUNT or GPU_ALLOCATION");
  YARD_ASSIGN(std::vector<const Grouping*> groupings, GroupingsOf(call));
  ProjectDirectory names(call);
  std::vector<WorkloadRow> rows = VisibleWorkloads(call, names, Existence::kLive);
  Groups groups;
  if (groupings.empty()) groups[{}] = {};
  YARD_ASSIGN(std::vector<CountedKind> archived, ArchivedKinds(call.state()));
  std::vector<std::int64_t> counts(rows.size(), 1);
  for (const CountedKind& kind : archived) {
    const ProjectNames& project = names.Of(kind.workload);
    if (!Shows(project, kind.workload)) continue;
    rows.push_back({&kind.workload, &project});
    counts.push_back(kind.count);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const WorkloadRow& row = rows[i];
    if (!Wanted(call, row)) continue;
    std::vector<std::string> values;
    values.reserve(groupings.size());
    for (const Grouping* grouping : groupings) values.push_back(grouping->value(row));
    Group& group = groups[values];
    group.sample = &row;
    group.count += counts[i];
    Ptr<Attempt> open = call.state().OpenAttempt(*row.workload);
    if (open && HoldsGpus(*open)) group.held += HeldBy(*open);
  }
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("type", type);
  w("timestamp", call.now());
  w.Key("values");
  w.BeginList();
  WriteGroups(w, groups, groupings, type);
  w.EndList();
  w.End();
  call.NeedsNoScope();
  return Json(std::move(out));
}

}  // namespace

void AddWorkloadMetricRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kRead = May(Action::kRead, Resource::kWorkloads);
  constexpr Need kReadInference = May(Action::kRead, Resource::kInferences);
  const std::vector<QueryParameter> metrics{{"metricType", "[string]", true},
                                            {"start", "time", true},
                                            {"end", "time", true},
                                            {"numberOfSamples", "int(0..1000)"}};
  routes.insert(
      routes.end(),
      {{kGet,
        "/api/v1/workloads/telemetry",
        kRead,
        Telemetry,
        "Workloads and GPUs in numbers",
        "",
        "WorkloadTelemetry",
        200,
        {{"telemetryType", "WORKLOADS_COUNT|GPU_ALLOCATION", true},
         {"groupBy", "[string]"},
         {"clusterId", "uuid"},
         {"nodepoolName", "string"},
         {"departmentId", "string"}}},
       {kGet, "/api/v1/workloads/{workloadId}/metrics", kRead, ReadMetrics, "A workload's metrics",
        "", "WorkloadMetrics", 200, metrics},
       {kGet, "/api/v1/workloads/{workloadId}/pods/{podId}/metrics", kRead, PodMetrics,
        "A pod's metrics", "", "WorkloadMetrics", 200, metrics},
       {kGet, "/api/v1/workloads/inferences/{workloadId}/metrics", kReadInference, ReadMetrics,
        "An inference's metrics", "", "WorkloadMetrics", 200, metrics},
       {kGet, "/api/v1/workloads/inferences/{workloadId}/pods/{podId}/metrics", kReadInference,
        PodMetrics, "Metrics of an inference's pod", "", "WorkloadMetrics", 200, metrics}});
}

}  // namespace yard::api
