// Advance reservations: GPUs kept for a project's work, for a deadline.
#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "control/commands/org.h"
#include "control/commands/reservations.h"
#include "wire/org.h"

namespace yard::api {
namespace {

using control::State;
using control::Txn;
using wire::ReservationView;

wire::ReservationView ViewOf(const State& state, const Reservation& one, Time now) {
  ReservationView view{.reservation = &one, .now = now};
  if (Ptr<Project> project = state.Find<Project>(one.project)) view.project_name = project->name;
  Ptr<NodePool> pool = one.pool ? state.Find<NodePool>(*one.pool) : nullptr;
  if (pool) view.pool_name = pool->name;
  return view;
}

constexpr Column<ReservationView> kColumns[] = {
    {"name", [](const ReservationView& v) -> Cell { return std::string_view(v.reservation->name); },
     true},
    {"projectId", [](const ReservationView& v) -> Cell { return v.reservation->project.value; }},
    {"projectName",
     [](const ReservationView& v) -> Cell { return std::string_view(v.project_name); }, true},
    {"state", [](const ReservationView& v) -> Cell { return wire::StateOf(v); }},
    {"start", [](const ReservationView& v) -> Cell { return v.reservation->start; }},
    {"end", [](const ReservationView& v) -> Cell { return v.reservation->end; }},
};

Result<Answer> List(Call& call) {
  std::span<const Column<ReservationView>> columns = kColumns;
  YARD_ASSIGN(ListQuery query, ParseListQuery(call.query(), ColumnNames(columns)));
  std::vector<ReservationView> rows;
  call.state().Of<Reservation>().Each([&](const Reservation& one) {
    Ptr<Project> project = call.state().Find<Project>(one.project);
    if (project && call.Sees(call.state().PathOf(*project)))
      rows.push_back(ViewOf(call.state(), one, call.now()));
  });
  // With none there was none to check.
  call.NeedsNoScope();
  Page<ReservationView> page = Select(Pointers(rows), columns, query);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("reservations");
  w.BeginList();
  for (const ReservationView* row : page.rows) {
    w.Item();
    wire::WriteReservation(w, *row);
  }
  w.EndList();
  w("next", page.next);
  w.End();
  return Json(std::move(out));
}

Result<ReservationId> IdOf(const Call& call) {
  std::string_view text = call.Path("reservationId");
  if (std::optional<Uuid> id = ParseUuid(text)) return ReservationId{*id};
  return Fail(Code::kNotFound, fmt::format("there is no reservation '{}'", text),
              "see GET /api/v1/reservations for the ids");
}

http::Reply ReservationReply(const State& state, const Reservation& one, Time now, int status) {
  std::string out;
  wire::Writer w(out);
  wire::WriteReservation(w, ViewOf(state, one, now));
  return Json(std::move(out), status);
}

Result<Answer> Get(Call& call) {
  YARD_ASSIGN(ReservationId id, IdOf(call));
  YARD_ASSIGN(Ptr<Reservation> one, control::GetReservation(call.state(), id));
  YARD_ASSIGN(Ptr<Project> project, control::GetProject(call.state(), one->project));
  YARD_TRY(call.Require(call.state().PathOf(*project)));
  return ReservationReply(call.state(), *one, call.now(), 200);
}

Result<control::ReservationDraft> ReadDraft(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(wire::ReservationBody read, wire::ReadReservation(body));
  return control::ReservationDraft{.name = std::move(read.name),
                                   .project = ProjectId{read.project},
                                   .gpu = read.gpu,
                                   .pool = std::move(read.pool),
                                   .start = read.start,
                                   .end = read.end,
                                   .release_after_seconds = read.release_after_seconds};
}

auto Render(Call& call, int status) {
  return [&call, status](const Ptr<Reservation>& one) {
    return ReservationReply(*call.service().Read(), *one, call.now(), status);
  };
}

Result<Answer> Create(Call& call) {
  YARD_ASSIGN(control::ReservationDraft draft, ReadDraft(call));
  return Commit([draft](Txn& txn) { return control::CreateReservation(txn, draft); },
                Render(call, 201));
}

Result<Answer> Update(Call& call) {
  YARD_ASSIGN(ReservationId id, IdOf(call));
  YARD_ASSIGN(control::ReservationDraft draft, ReadDraft(call));
  return Commit([id, draft](Txn& txn) { return control::UpdateReservation(txn, id, draft); },
                Render(call, 200));
}

Result<Answer> Delete(Call& call) {
  YARD_ASSIGN(ReservationId id, IdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteReservation(txn, id); },
                [] { return Empty(204); });
}

}  // namespace

void AddReservationRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/reservations";
  constexpr std::string_view kOne = "/api/v1/reservations/{reservationId}";
  constexpr Need kRead = May(Action::kRead, Resource::kProject);
  // Whoever may give a department projects may keep GPUs for them.
  constexpr Need kGrant = May(Action::kCreate, Resource::kProject);
  routes.insert(
      routes.end(),
      {{kGet, kAll, kRead, List, "List reservations", "", "ReservationList", 200, ListParameters()},
       {kPost, kAll, kGrant, Create, "Reserve GPUs for a project", "ReservationDraft",
        "Reservation", 201},
       {kGet, kOne, kRead, Get, "Get a reservation", "", "Reservation"},
       {kPut, kOne, kGrant, Update, "Change a reservation", "ReservationChange", "Reservation"},
       {kDelete, kOne, kGrant, Delete, "Give up a reservation", "", "", 204}});
}

}  // namespace yard::api
