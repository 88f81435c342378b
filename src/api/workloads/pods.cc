// Pods: each task of each attempt, under the names and phases that Kubernetes' tools know.
#include "api/workloads/pods.h"

#include <array>
#include <deque>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/handler.h"
#include "api/workloads/workload_views.h"
#include "control/commands/workloads.h"
#include "wire/spec.h"

namespace yard::api {
namespace {

constexpr std::size_t kDefaultLimit = 50;

struct PodRow {
  WorkloadRow of;
  const Attempt* attempt;
  std::size_t rank;
  std::string_view pool;
};

const std::string& NodeOf(const PodRow& pod) {
  return pod.attempt->places[pod.rank].node;
}

std::optional<Time> EndOf(const PodRow& pod) {
  return pod.attempt->end ? std::optional(pod.attempt->end->at) : std::nullopt;
}

std::string_view PhaseOf(const PodRow& pod) {
  const std::optional<AttemptEnd>& end = pod.attempt->end;
  if (!end) return pod.attempt->started_at ? "Running" : "Pending";
  return end->cause == EndCause::kCompleted ? "Succeeded" : "Failed";
}

// An attempt's id, different in each rank.
std::string IdOf(const PodRow& pod) {
  Uuid id = pod.attempt->id.value;
  for (std::size_t byte = 0; byte < sizeof(std::uint32_t); ++byte)
    id.bytes[id.bytes.size() - 1 - byte] ^= static_cast<std::uint8_t>(pod.rank >> (8 * byte));
  return FormatUuid(id);
}

// "train-0-2": the second retry would be "train-2-2".
std::string NameOf(const PodRow& pod) {
  return fmt::format("{}-{}-{}", pod.of.workload->name, pod.attempt->number - 1, pod.rank);
}

constexpr Column<PodRow> kColumns[] = {
    {"clusterId",
     [](const PodRow& pod) -> Cell { return FormatUuid(pod.of.workload->host().value); }},
    {"nodeName", [](const PodRow& pod) -> Cell { return std::string_view(NodeOf(pod)); }},
    {"currentNodepool", [](const PodRow& pod) -> Cell { return pod.pool; }},
    {"createdAt", [](const PodRow& pod) -> Cell { return pod.attempt->placed_at; }},
    {"completedAt",
     [](const PodRow& pod) -> Cell {
       std::optional<Time> end = EndOf(pod);
       return end ? Cell(*end) : Cell();
     }},
    {"deletedAt",
     [](const PodRow& pod) -> Cell {
       return pod.of.workload->deleted_at ? Cell(*pod.of.workload->deleted_at) : Cell();
     }},
};

void WriteContainers(wire::Writer& w, const PodRow& pod) {
  w.Key("containers");
  w.BeginList();
  w.Item();
  w.Begin();
  w("name", pod.of.workload->name);
  w("image", pod.of.workload->spec->image);
  w.OrNull("startedAt", pod.attempt->started_at);
  w.End();
  w.EndList();
}

void WriteAllocated(wire::Writer& w, const PodRow& pod) {
  const TaskPlace& place = pod.attempt->places[pod.rank];
  w.Key("allocatedResources");
  w.Begin();
  w("gpu", pod.attempt->end ? 0.0 : static_cast<double>(HeldBy(place).value) / 1000);
  w.End();
}

void WritePod(wire::Writer& w, const PodRow& pod) {
  const Workload& workload = *pod.of.workload;
  std::optional<Time> end = EndOf(pod);
  const Time changed = end ? *end : pod.attempt->started_at.value_or(pod.attempt->placed_at);
  w.Begin();
  w("id", IdOf(pod));
  w("name", NameOf(pod));
  w("workloadId", workload.id);
  w("workloadName", workload.name);
  w("tenantId", wire::kTenantId);
  w("clusterId", workload.host());
  w("projectId", std::to_string(workload.project.value));
  w("projectName", pod.of.names->project);
  w("priorityClassName", workload.priority_class);
  w("nodeName", NodeOf(pod));
  w("currentNodePool", pod.pool);
  w("requestedNodePools", workload.spec->placement->node_pools);
  w("createdAt", pod.attempt->placed_at);
  w.OrNull("completedAt", end);
  w("k8sPhase", PhaseOf(pod));
  w("k8sPhaseUpdatedAt", changed);
  w("updatedAt", changed);
  w.OrNull("deletedAt", workload.deleted_at);
  WriteContainers(w, pod);
  WriteAllocated(w, pod);
  w.End();
}

// Gives `visit` every task of every attempt of a workload.
template <class Visit>
void EachPod(const control::State& state, const WorkloadRow& row, Visit visit) {
  for (const Ptr<Attempt>& attempt : state.AttemptsOf(row.workload->id)) {
    Ptr<NodePool> pool = state.Find<NodePool>(attempt->pool);
    for (std::size_t rank = 0; rank < attempt->places.size(); ++rank)
      visit(PodRow{row, attempt.get(), rank, pool ? std::string_view(pool->name) : ""});
  }
}

Existence WhichOf(const Call& call) {
  return call.Query("deleted") == "true" ? Existence::kDeleted : Existence::kLive;
}

Result<ListQuery> QueryOf(const Call& call) {
  std::span<const Column<PodRow>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  if (!call.Query("limit")) query.limit = kDefaultLimit;
  return query;
}

bool IsWanted(const Call& call, const PodRow& pod) {
  std::optional<std::string_view> completed = call.Query("completed");
  bool ended = pod.attempt->end.has_value();
  return !completed || (*completed == "true" && ended) || (*completed == "false" && !ended) ||
         (*completed != "true" && *completed != "false");
}

Answer PageOf(const Page<PodRow>& page) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("pods");
  w.BeginList();
  for (const PodRow* pod : page.rows) {
    w.Item();
    WritePod(w, *pod);
  }
  w.EndList();
  w("next", page.next);
  w.End();
  return JsonPage(std::move(out), page.total);
}

Result<Answer> ListPods(Call& call) {
  YARD_ASSIGN(ListQuery query, QueryOf(call));
  ProjectDirectory names(call);
  std::deque<PodRow> rows;  // a deque: rows stay where they are
  serve::Selection<PodRow> selection(kColumns, query);
  EachVisible(call, names, WhichOf(call), [&](const WorkloadRow& row) {
    EachPod(call.state(), row, [&](const PodRow& pod) {
      if (!IsWanted(call, pod)) return;
      if (!selection.Offer(rows.emplace_back(pod))) rows.pop_back();
    });
  });
  call.NeedsNoScope();
  return PageOf(selection.Cut());
}

Result<Answer> CountPods(Call& call) {
  YARD_ASSIGN(ListQuery query, QueryOf(call));
  ProjectDirectory names(call);
  serve::RowFilter<PodRow> filter(kColumns, query);
  std::size_t count = 0;
  EachVisible(call, names, WhichOf(call), [&](const WorkloadRow& row) {
    EachPod(call.state(), row, [&](const PodRow& pod) { count += filter(pod); });
  });
  call.NeedsNoScope();
  return Json(fmt::format(R"({{"count":{}}})", count));
}

Result<Answer> ListPodsOf(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  YARD_ASSIGN(Ptr<Workload> workload, control::FindWorkload(call.state(), id));
  ScopePath where = call.state().PathOf(*workload);
  YARD_TRY(call.Require(where));
  if (workload->type == WorkloadType::kInference) {
    YARD_TRY(control::Authorize(call.state(), call.who(), Resource::kInferences,
                                call.route().need.action, where));
  }
  YARD_ASSIGN(ListQuery query, QueryOf(call));
  ProjectDirectory names(call);
  std::deque<PodRow> rows;
  serve::Selection<PodRow> selection(kColumns, query);
  EachPod(call.state(), {workload.get(), &names.Of(*workload)}, [&](const PodRow& pod) {
    if (!selection.Offer(rows.emplace_back(pod))) rows.pop_back();
  });
  return PageOf(selection.Cut());
}

std::vector<QueryParameter> PodListParameters() {
  std::vector<QueryParameter> parameters = ListParameters();
  parameters.push_back({"deleted", "bool"});
  parameters.push_back({"completed", "string"});
  parameters.push_back({"verbosity", "brief|full"});
  return parameters;
}

}  // namespace

void AddPodRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kRead = May(Action::kRead, Resource::kWorkloads);
  routes.insert(routes.end(),
                {{kGet, "/api/v1/workloads/pods", kRead, ListPods, "List pods", "", "PodList", 200,
                  PodListParameters()},
                 {kGet, "/api/v1/workloads/pods/count", kRead, CountPods, "Count pods", "", "Count",
                  200, PodListParameters()},
                 {kGet,
                  "/api/v1/workloads/{workloadId}/pods",
                  kRead,
                  ListPodsOf,
                  "List a workload's pods",
                  "",
                  "PodList",
                  200,
                  {{"offset", "int(0..)"}, {"limit", "int(1..500)"}, {"deleted", "bool"}}}});
}

}  // namespace yard::api
