// Tracked runs: list, one, make, tag, delete and bring back.
#include <utility>

#include <fmt/format.h>

#include "api/track/run_query.h"
#include "api/track/run_views.h"
#include "api/track/tracked.h"
#include "base/strings.h"
#include "control/commands/org.h"
#include "control/track/experiments.h"
#include "control/track/run_links.h"
#include "control/track/search.h"
#include "wire/fields.h"

namespace yard::api {
namespace {

using control::Shared;
using control::TrackTxn;

constexpr std::size_t kMostTagged = 500;
constexpr std::size_t kMostKeyBytes = 250;
constexpr std::size_t kMostTextBytes = 6000;

std::string ExperimentName(const control::Catalog& catalog, const std::string& id) {
  Shared<Experiment> found = catalog.Find<Experiment>(id);
  return found ? found->name : std::string(control::kDefaultExperimentName);
}

std::string RunJson(Call& call, const control::Catalog& catalog, const TrackedRun& run,
                    const control::LatestMetrics& latest) {
  Ptr<Project> project = call.state().Find<Project>(run.project);
  std::string experiment = ExperimentName(catalog, run.experiment);
  std::string out;
  wire::Writer w(out);
  WriteRun(w, run, latest, {.project = project ? project->name : "", .experiment = experiment},
           SIZE_MAX);
  return out;
}

// The experiments of the projects; with a name or an id only those.
std::vector<Shared<Experiment>> ExperimentsOf(const control::Catalog& catalog,
                                              const VisibleProjects& projects,
                                              std::optional<std::string_view> wanted) {
  return catalog.Select<Experiment>([&](const Experiment& experiment) {
    return projects.contains(experiment.project) &&
           (!wanted || experiment.name == *wanted || experiment.id == *wanted);
  });
}

std::string PageJson(const control::Catalog& catalog, const VisibleProjects& projects,
                     const control::RunPage& page, const control::RunSearch& search) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("runs");
  w.BeginList();
  for (const control::FoundRun& found : page.runs) {
    w.Item();
    std::string experiment = ExperimentName(catalog, found.run->experiment);
    WriteRun(w, *found.run, found.latest,
             {.project = projects.at(found.run->project), .experiment = experiment},
             kMostListedMetrics);
  }
  w.EndList();
  if (page.more) w("next", search.offset + search.limit);
  w.End();
  return out;
}

Result<Answer> List(Call& call) {
  VisibleProjects projects = ProjectsOf(call);
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(control::RunSearch search, ReadRunSearch(call.query()));
  const control::Catalog& catalog = tracking->catalog();
  for (const auto& experiment : ExperimentsOf(catalog, projects, call.Query("experiment"))) {
    search.experiments.push_back(experiment->id);
  }
  return Slow{[&catalog, search = std::move(search),
               projects = std::move(projects)]() -> Result<Slow::Outcome> {
    control::RunPage page = control::SearchRuns(catalog, search);
    return JsonPage(PageJson(catalog, projects, page, search), page.total);
  }};
}

Result<Answer> ListExperiments(Call& call) {
  VisibleProjects projects = ProjectsOf(call);
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  const control::Catalog& catalog = tracking->catalog();
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("experiments");
  w.BeginList();
  for (const auto& experiment : ExperimentsOf(catalog, projects, std::nullopt)) {
    if (experiment->lifecycle == Lifecycle::kDeleted) continue;
    w.Item();
    w.Begin();
    w("id", experiment->id);
    w("name", experiment->name);
    w("projectId", experiment->project);
    w("projectName", projects.at(experiment->project));
    w("runs", catalog.RunsOf(experiment->id).size());
    w.End();
  }
  w.EndList();
  w.End();
  return Json(std::move(out));
}

Result<Answer> Get(Call& call) {
  YARD_ASSIGN(control::RunSlot * slot, RunOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  return Json(RunJson(call, tracking->catalog(), *slot->Get(), slot->Latest()));
}

// Names and texts, of the lengths that MLflow's clients may write.
Result<Tags> TextsIn(const json::object& body, std::string_view name) {
  Tags texts;
  for (const auto& [key, value] : wire::ObjectOrEmpty(body, name)) {
    std::string_view text = value.get_string();
    if (key.empty() || key.size() > kMostKeyBytes || text.size() > kMostTextBytes) {
      return Fail(Code::kInvalid,
                  fmt::format("'{}': a name has 1 to {} bytes and its text at most {}", name,
                              kMostKeyBytes, kMostTextBytes));
    }
    texts[key] = std::string(text);
  }
  return texts;
}

Result<Answer> Create(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  ProjectId project{wire::WholeOf(body, "projectId").value_or(0)};
  YARD_ASSIGN(Ptr<Project> home, control::GetProject(call.state(), project));
  YARD_TRY(call.Require(call.state().PathOf(*home)));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  auto run =
      std::make_shared<TrackedRun>(TrackedRun{.project = project,
                                              .name = std::string(wire::TextOrEmpty(body, "name")),
                                              .user = call.who().id,
                                              .start = call.now()});
  YARD_ASSIGN(run->params, TextsIn(body, "params"));
  YARD_ASSIGN(run->tags, TextsIn(body, "tags"));
  if (std::string_view workload = wire::TextOrEmpty(body, "workloadId"); !workload.empty()) {
    run->tags[std::string(control::kWorkloadTag)] = Lower(workload);
  }
  std::string experiment(wire::TextOrEmpty(body, "experiment"));
  auto change = [run, experiment](TrackTxn& txn) -> Status {
    YARD_ASSIGN(Experiment found, control::HomeFor(txn, run->project, experiment));
    run->id = txn.NewId();
    if (run->name.empty()) run->name = run->id.substr(0, 8);
    run->experiment = found.id;
    run->artifact_uri = fmt::format("{}/{}/artifacts", found.artifact_location, run->id);
    txn.Put(TrackedRun(*run));
    return {};
  };
  auto render = [&call, tracking, run] {
    return Json(RunJson(call, tracking->catalog(), *run, {}), 201);
  };
  return Store(*tracking, std::move(change), std::move(render));
}

template <Lifecycle kTo>
Result<Answer> Move(Call& call) {
  YARD_ASSIGN(control::RunSlot * slot, RunOf(call));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  auto change = [id = slot->Get()->id](TrackTxn& txn) -> Status {
    TrackedRun run = *txn.Find<TrackedRun>(id);
    run.lifecycle = kTo;
    txn.Put(std::move(run));
    return {};
  };
  return Store(*tracking, change, [] { return Empty(204); });
}

// All runs are checked before any is changed.
Result<Answer> ChangeTags(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  std::vector<std::string> ids = wire::TextsOf(body, "ids");
  if (ids.empty() || ids.size() > kMostTagged) {
    return Fail(Code::kInvalid, fmt::format("'ids' must name 1 to {} runs", kMostTagged));
  }
  for (const std::string& id : ids) YARD_TRY(FindRun(call, id));
  YARD_ASSIGN(control::Tracking * tracking, TrackingOf(call));
  YARD_ASSIGN(Tags set, TextsIn(body, "set"));
  auto change = [ids, set = std::move(set),
                 remove = wire::TextsOf(body, "remove")](TrackTxn& txn) -> Status {
    for (const std::string& id : ids) {
      TrackedRun run = *txn.Find<TrackedRun>(id);
      for (const auto& [key, value] : set) run.tags[key] = value;
      for (const std::string& key : remove) run.tags.erase(key);
      txn.Put(std::move(run));
    }
    return {};
  };
  return Store(*tracking, std::move(change), [] { return Empty(204); });
}

std::vector<QueryParameter> RunListParameters() {
  std::vector<QueryParameter> parameters = ListParameters();
  parameters.insert(parameters.end(), {{"projectId", "int"},
                                       {"experiment", "string"},
                                       {"workloadId", "uuid"},
                                       {"view", "active|deleted|all"}});
  return parameters;
}

}  // namespace

void AddRunRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/runs";
  constexpr std::string_view kOne = "/api/v1/runs/{runId}";
  routes.insert(
      routes.end(),
      {{kGet, kAll, kReadRuns, List, "List tracked runs", "", "RunList", 200, RunListParameters()},
       {kPost, kAll, kCreateRuns, Create, "Start a tracked run", "RunDraft", "Run", 201},
       {kGet, kOne, kReadRuns, Get, "Get a tracked run", "", "Run"},
       {kDelete, kOne, kDeleteRuns, Move<Lifecycle::kDeleted>, "Hide a tracked run", "", "", 204},
       {kPost, "/api/v1/runs/{runId}/restore", kDeleteRuns, Move<Lifecycle::kActive>,
        "Bring a deleted run back", "", "", 204},
       {kPost, "/api/v1/runs/tags", kUpdateRuns, ChangeTags, "Change tags of several runs",
        "RunTags", "", 204},
       {kGet,
        "/api/v1/experiments",
        kReadRuns,
        ListExperiments,
        "List experiments",
        "",
        "ExperimentList",
        200,
        {{"projectId", "int"}}}});
}

}  // namespace yard::api
