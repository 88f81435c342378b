#include <array>
#include <deque>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/handler.h"
#include "api/workloads/folded_list.h"
#include "api/workloads/pods.h"
#include "api/workloads/workload_pages.h"
#include "api/workloads/workload_views.h"
#include "control/commands/workloads.h"
#include "control/live.h"
#include "control/policy/own_work.h"
#include "serve/server.h"

namespace yard::api {
namespace {

constexpr std::size_t kDefaultLimit = 50;

Existence WhichOf(const Call& call) {
  return call.Query("deleted") == "true" ? Existence::kDeleted : Existence::kLive;
}

Result<ListQuery> QueryOf(const Call& call) {
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), WorkloadColumns()));
  if (!call.Query("limit")) query.limit = kDefaultLimit;
  return query;
}

std::string Render(Call& call, const WorkloadPage& page) {
  std::string out;
  out.reserve(page.rows.size() * 2048);
  wire::Writer w(out);
  w.Begin();
  w.Key("workloads");
  w.BeginList();
  const ViewMaker views(call);
  for (const WorkloadRow& row : page.rows) {
    w.Item();
    wire::WriteListing(w, views.Of(row));
  }
  w.EndList();
  w("next", page.next);
  w.End();
  return out;
}

Result<http::Reply> PageReply(Call& call, const ListQuery& query) {
  ProjectDirectory names(call);
  YARD_ASSIGN(WorkloadPage page, SelectWorkloads(call, names, query, WhichOf(call)));
  call.NeedsNoScope();
  return JsonPage(Render(call, page), page.total);
}

// The archive is read from disk, which no I/O thread waits for.
Result<Answer> ListWorkloads(Call& call) {
  YARD_ASSIGN(ListQuery query, QueryOf(call));
  if (call.state().archived() == 0) return PageReply(call, query);
  auto work = [&call, query = std::move(query)]() -> Result<Slow::Outcome> {
    return PageReply(call, query);
  };
  return Slow{.work = std::move(work)};
}

Result<Answer> CountWorkloads(Call& call) {
  YARD_ASSIGN(ListQuery query, QueryOf(call));
  auto work = [&call, query = std::move(query)]() -> Result<Slow::Outcome> {
    ProjectDirectory names(call);
    YARD_ASSIGN(std::size_t count, CountSelected(call, names, query, WhichOf(call)));
    call.NeedsNoScope();
    return Json(fmt::format(R"({{"count":{}}})", count));
  };
  return Slow{.work = std::move(work)};
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

// As EnteredWorkload decides.
wire::Entry EntryTo(Call& call, const Workload& workload) {
  using enum wire::Entry;
  const control::State& state = call.state();
  if (!control::RequireTouch(state, call.who(), workload, control::Touch::kEnter)) return kClosed;
  const control::Live* live = call.server().context().live;
  if (live == nullptr || !live->RunsAsOwner(workload)) return kOpen;
  return control::IsOwn(state, call.who(), workload) ? kOpen : kClosed;
}

Result<Answer> GetWorkload(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, Seen(call));
  ProjectDirectory names(call);
  std::string out;
  wire::Writer w(out);
  const Ptr<Attempt> newest = call.state().NewestAttempt(*workload);
  const WorkloadRow row{workload.get(), &names.Of(*workload), newest.get()};
  wire::WriteDetails(w, ViewMaker(call).Of(row), EntryTo(call, *workload));
  return Json(std::move(out));
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
  AddPodRoutes(routes);
  AddFoldedListRoutes(routes);
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
       {kGet, "/api/v1/workloads/{workloadId}/events", kRead, ListEvents,
        "List a workload's events", "", "EventList", 200, ordered},
       {kGet, "/api/v1/workloads/{workloadId}/history", kRead, ListHistory,
        "List a workload's events and changes of phase", "", "HistoryList", 200, paging}});
}

}  // namespace yard::api
