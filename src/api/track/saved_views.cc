// Ways to look at runs that a project keeps under names: filters, columns, charts.
//
// A view is the query of a page's address. It names runs and gives no right to read them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/track/tracked.h"
#include "control/commands/org.h"
#include "wire/fields.h"
#include "wire/tracking.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Shared;
using control::TrackTxn;

constexpr std::size_t kMostViews = 200;  // in a project
constexpr std::size_t kMostQueryBytes = 4000;

void WriteView(wire::Writer& w, const SavedView& view, std::string_view project) {
  w.Begin();
  w("id", view.id);
  w("name", view.name);
  w("projectId", view.project);
  w("projectName", project);
  w("page", view.page);
  w("query", view.query);
  w("authorName", view.author);
  w("createdAt", view.created_at);
  w.End();
}

Result<Answer> List(Call& call) {
  VisibleProjects projects = ProjectsOf(call);
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  std::optional<std::string_view> page = call.Query("page");
  auto views = tracking->catalog().Select<SavedView>([&](const SavedView& view) {
    return projects.contains(view.project) && (!page || wire::ToName(view.page) == *page);
  });
  std::ranges::sort(views, {}, [](const Shared<SavedView>& view) { return view->name; });
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("views");
  w.BeginList();
  for (const Shared<SavedView>& view : views) {
    w.Item();
    WriteView(w, *view, projects.at(view->project));
  }
  w.EndList();
  w.End();
  return Json(std::move(out));
}

Status CheckRoom(const TrackTxn& txn, const SavedView& view) {
  auto here = [&](const SavedView& other) { return other.project == view.project; };
  if (txn.Count<SavedView>(here) >= kMostViews) {
    return Fail(Code::kConflict, fmt::format("the project has {} saved views already", kMostViews),
                "delete one that nobody uses");
  }
  auto same = [&](const SavedView& other) {
    return here(other) && other.page == view.page && other.name == view.name;
  };
  if (txn.Count<SavedView>(same) == 0) return {};
  return Fail(Code::kConflict, fmt::format("the project has a view '{}' already", view.name),
              "choose another name, or delete that view first");
}

Result<Answer> Create(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  ProjectId project{wire::WholeOf(body, "projectId").value_or(0)};
  YARD_ASSIGN(Ptr<Project> home, control::GetProject(call.state(), project));
  YARD_TRY(call.Require(call.state().PathOf(*home)));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  std::string_view query = wire::TextOrEmpty(body, "query");
  if (query.size() > kMostQueryBytes) {
    return Fail(Code::kTooLarge, fmt::format("'query' has at most {} bytes", kMostQueryBytes),
                "filter by a tag instead of naming each run");
  }
  ViewPage page = wire::FromName<ViewPage>(wire::TextOrEmpty(body, "page")).value();
  auto view =
      std::make_shared<SavedView>(SavedView{.project = project,
                                            .name = std::string(wire::TextOrEmpty(body, "name")),
                                            .page = page,
                                            .query = std::string(query),
                                            .author = call.who().id});
  auto change = [view](TrackTxn& txn) -> Status {
    YARD_TRY(CheckRoom(txn, *view));
    view->id = txn.NewId();
    view->created_at = txn.now();
    txn.Put(SavedView(*view));
    return {};
  };
  return Store(*tracking, std::move(change), [view, name = home->name] {
    std::string out;
    wire::Writer w(out);
    WriteView(w, *view, name);
    return Json(std::move(out), 201);
  });
}

Result<Answer> Delete(Call& call) {
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  std::string id(call.Path("viewId"));
  Shared<SavedView> view = tracking->catalog().Find<SavedView>(id);
  Ptr<Project> project = view ? call.state().Find<Project>(view->project) : nullptr;
  if (!project) return Fail(Code::kNotFound, fmt::format("there is no saved view '{}'", id));
  YARD_TRY(call.Require(call.state().PathOf(*project)));
  auto change = [id](TrackTxn& txn) -> Status {
    txn.Remove<SavedView>(id);
    return {};
  };
  return Store(*tracking, change, [] { return Empty(204); });
}

}  // namespace

void AddRunViewRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/run-views";
  routes.insert(routes.end(), {{kGet,
                                kAll,
                                kReadRuns,
                                List,
                                "List saved views of runs",
                                "",
                                "RunViewList",
                                200,
                                {{"projectId", "int"}, {"page", "runs|compare"}}},
                               {kPost, kAll, kCreateRuns, Create, "Save a view of runs",
                                "RunViewDraft", "RunView", 201},
                               {kDelete, "/api/v1/run-views/{viewId}", kDeleteRuns, Delete,
                                "Delete a saved view", "", "", 204}});
}

}  // namespace yard::api
