#include <array>
#include <deque>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/handler.h"
#include "api/workloads/workload_views.h"
#include "control/commands/workloads.h"
#include "wire/enums.h"
#include "wire/spec.h"

namespace yard::api {
namespace {

constexpr std::size_t kDefaultLimit = 50;

template <class T>
Cell Optional(const std::optional<T>& value) {
  return value ? Cell(*value) : Cell();
}

// The first pool that was asked for; nothing has been given one yet.
Cell FirstPool(const WorkloadRow& r) {
  if (r.workload->spec->placement->node_pools.empty()) return Cell();
  return std::string_view(r.workload->spec->placement->node_pools.front());
}

constexpr Column<WorkloadRow> kColumns[] = {
    {"name", [](const WorkloadRow& r) -> Cell { return std::string_view(r.workload->name); }, true},
    {"id", [](const WorkloadRow& r) -> Cell { return FormatUuid(r.workload->id.value); }},
    {"type", [](const WorkloadRow& r) -> Cell { return Name(r.workload->type); }, true},
    {"phase", [](const WorkloadRow& r) -> Cell { return Name(r.workload->phase()); }, true},
    {"clusterId",
     [](const WorkloadRow& r) -> Cell { return FormatUuid(r.workload->cluster.value); }},
    {"projectId", [](const WorkloadRow& r) -> Cell { return r.workload->project.value; }},
    {"projectName", [](const WorkloadRow& r) -> Cell { return std::string_view(r.names->project); },
     true},
    {"departmentId", [](const WorkloadRow& r) -> Cell { return r.workload->department.value; }},
    {"departmentName",
     [](const WorkloadRow& r) -> Cell { return std::string_view(r.names->department); }, true},
    {"createdAt", [](const WorkloadRow& r) -> Cell { return r.workload->stamp.created_at; }},
    {"completedAt",
     [](const WorkloadRow& r) -> Cell { return Optional(r.workload->completed_at); }},
    {"deletedAt", [](const WorkloadRow& r) -> Cell { return Optional(r.workload->deleted_at); }},
    {"submittedBy",
     [](const WorkloadRow& r) -> Cell { return std::string_view(r.workload->stamp.created_by); },
     true},
    {"nodepool", FirstPool},
    {"distributedFramework",
     [](const WorkloadRow& r) -> Cell { return wire::NameOf(r.workload->spec->framework); }},
    {"priorityClassName",
     [](const WorkloadRow& r) -> Cell { return std::string_view(r.workload->priority_class); }},
    {"allocatedGPU", [](const WorkloadRow&) -> Cell { return 0.0; }},
    {"idleGpus", [](const WorkloadRow&) -> Cell { return Cell(); }},
    {"idleAllocatedGpus", [](const WorkloadRow&) -> Cell { return Cell(); }},
};

Existence WhichOf(const Call& call) {
  return call.Query("deleted") == "true" ? Existence::kDeleted : Existence::kLive;
}

Result<ListQuery> QueryOf(const Call& call) {
  std::span<const Column<WorkloadRow>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  if (!call.Query("limit")) query.limit = kDefaultLimit;
  return query;
}

Result<Answer> ListWorkloads(Call& call) {
  YARD_ASSIGN(ListQuery query, QueryOf(call));
  ProjectDirectory names(call);
  std::deque<WorkloadRow> rows;  // a deque: rows stay where they are
  serve::Selection<WorkloadRow> selection(kColumns, query);
  EachVisible(call, names, WhichOf(call), [&](const WorkloadRow& row) {
    if (!selection.Offer(rows.emplace_back(row))) rows.pop_back();
  });
  Page<WorkloadRow> page = selection.Cut();
  std::string out;
  out.reserve(page.rows.size() * 2048);
  wire::Writer w(out);
  w.Begin();
  w.Key("workloads");
  w.BeginList();
  const control::SharedBoard waiting = WaitingOf(call);
  for (const WorkloadRow* row : page.rows) {
    w.Item();
    wire::WriteListing(w, ViewOf(call.state(), *waiting, *row), wire::Detail::kListed);
  }
  w.EndList();
  w("next", page.next);
  w.End();
  call.NeedsNoScope();
  return JsonPage(std::move(out), page.total);
}

Result<Answer> CountWorkloads(Call& call) {
  YARD_ASSIGN(ListQuery query, QueryOf(call));
  ProjectDirectory names(call);
  serve::RowFilter<WorkloadRow> filter(kColumns, query);
  std::size_t count = 0;
  EachVisible(call, names, WhichOf(call), [&](const WorkloadRow& row) { count += filter(row); });
  call.NeedsNoScope();
  return Json(fmt::format(R"({{"count":{}}})", count));
}

// The workload a path names, if the caller may see it.
Result<Ptr<Workload>> Seen(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  YARD_ASSIGN(Ptr<Workload> workload, control::FindWorkload(call.state(), id));
  ScopePath where = call.state().PathOf(*workload);
  YARD_TRY(call.Require(where));
  if (workload->type == WorkloadType::kInference) {
    YARD_TRY(control::Authorize(call.state(), call.who(), Resource::kInferences,
                                call.route().need.action, where));
  }
  return workload;
}

Result<Answer> GetWorkload(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, Seen(call));
  ProjectDirectory names(call);
  std::string out;
  wire::Writer w(out);
  const control::SharedBoard waiting = WaitingOf(call);
  wire::WriteListing(w, ViewOf(call.state(), *waiting, {workload.get(), &names.Of(*workload)}),
                     wire::Detail::kFull);
  return Json(std::move(out));
}

// No engine runs yet, so there is no pod to show.
constexpr std::array<std::string_view, 6> kPodFields{"clusterId", "nodeName",    "currentNodepool",
                                                     "createdAt", "completedAt", "deletedAt"};

Result<Answer> ListPods(Call& call) {
  YARD_TRY(ParseListQuery(call.query(), kPodFields));
  call.NeedsNoScope();
  return Json(R"({"pods":[]})");
}

Result<Answer> CountPods(Call& call) {
  YARD_TRY(ParseListQuery(call.query(), kPodFields));
  call.NeedsNoScope();
  return Json(R"({"count":0})");
}

Result<Answer> ListPodsOf(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, Seen(call));
  return Json(R"({"pods":[]})");
}

struct EventPage {
  std::vector<WorkloadEvent> events;
  std::optional<std::size_t> next;
};

Result<EventPage> ReadEventPage(Call& call, const Workload& workload) {
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), {}));
  if (!call.Query("limit")) query.limit = kDefaultLimit;
  bool oldest_first = call.Query("sortOrder") == "asc";
  // The store keeps them newest first; the other order needs all of them.
  constexpr std::size_t kAll = 100'000;
  EventPage page;
  YARD_ASSIGN(page.events, call.service().ReadEvents(workload.id, oldest_first ? 0 : query.offset,
                                                     oldest_first ? kAll : query.limit + 1));
  if (oldest_first) {
    std::ranges::reverse(page.events);
    std::size_t skipped = std::min(query.offset, page.events.size());
    page.events.erase(page.events.begin(),
                      page.events.begin() + static_cast<std::ptrdiff_t>(skipped));
  }
  if (page.events.size() > query.limit) {
    page.events.resize(query.limit);
    page.next = query.offset + query.limit;
  }
  return page;
}

using WriteOne = void (*)(wire::Writer&, const WorkloadEvent&, const wire::WorkloadView&);

Result<Answer> EventsReply(Call& call, std::string_view list, WriteOne write) {
  YARD_ASSIGN(Ptr<Workload> workload, Seen(call));
  YARD_ASSIGN(EventPage page, ReadEventPage(call, *workload));
  ProjectDirectory names(call);
  wire::WorkloadView view = ViewOf({workload.get(), &names.Of(*workload)});
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key(list);
  w.BeginList();
  for (const WorkloadEvent& event : page.events) {
    w.Item();
    write(w, event, view);
  }
  w.EndList();
  w("next", page.next);
  w.End();
  return Json(std::move(out));
}

Result<Answer> ListEvents(Call& call) {
  return EventsReply(call, "events", wire::WriteEvent);
}

Result<Answer> ListHistory(Call& call) {
  return EventsReply(call, "records", wire::WriteHistoryRecord);
}

std::vector<QueryParameter> WorkloadListParameters() {
  std::vector<QueryParameter> parameters = ListParameters();
  parameters.push_back({"deleted", "bool"});
  return parameters;
}

}  // namespace

void AddWorkloadListRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr Need kRead = May(Action::kRead, Resource::kWorkloads);
  const std::vector<QueryParameter> paging{{"offset", "int(0..)"}, {"limit", "int(1..500)"}};
  std::vector<QueryParameter> ordered = paging;
  ordered.push_back({"sortOrder", "asc|desc"});
  routes.insert(
      routes.end(),
      {{kGet, "/api/v1/workloads", kRead, ListWorkloads, "List workloads of every kind", "",
        "WorkloadList", 200, WorkloadListParameters()},
       {kGet, "/api/v1/workloads/count", kRead, CountWorkloads, "Count workloads", "", "Count", 200,
        WorkloadListParameters()},
       {kGet, "/api/v1/workloads/{workloadId}", kRead, GetWorkload, "Get a workload of any kind",
        "", "WorkloadDetails"},
       {kGet, "/api/v1/workloads/pods", kRead, ListPods, "List pods", "", "PodList", 200,
        WorkloadListParameters()},
       {kGet, "/api/v1/workloads/pods/count", kRead, CountPods, "Count pods", "", "Count", 200,
        WorkloadListParameters()},
       {kGet, "/api/v1/workloads/{workloadId}/pods", kRead, ListPodsOf, "List a workload's pods",
        "", "PodList", 200, paging},
       {kGet, "/api/v1/workloads/{workloadId}/events", kRead, ListEvents,
        "List a workload's events", "", "EventList", 200, ordered},
       {kGet, "/api/v1/workloads/{workloadId}/history", kRead, ListHistory,
        "List a workload's events and changes of phase", "", "HistoryList", 200, paging}});
}

}  // namespace yard::api
