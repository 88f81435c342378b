#include "facade/mlflow/ask.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "control/track/experiments.h"
#include "facade/mlflow/errors.h"
#include "serve/server.h"

namespace yard::facade::mlflow {
namespace {

constexpr Resource kRuns = Resource::kTrainings;
constexpr std::string_view kOnWorkspace = "/mlflow/{workspace}/";

std::unexpected<Error> Absent(std::string_view thing) {
  return Fail(Code::kNotFound, fmt::format("{} does not exist", thing));
}

// Repeated parameters become a list.
json::object FromQuery(const std::vector<std::pair<std::string, std::string>>& query) {
  json::object object;
  for (const auto& [key, value] : query) {
    json::value* before = object.if_contains(key);
    if (before == nullptr) {
      object[key] = value;
    } else if (before->is_array()) {
      before->get_array().emplace_back(value);
    } else {
      object[key] = json::array{*before, value};
    }
  }
  return object;
}

}  // namespace

Status Ask::Attach() {
  tracking_ = call_.server().context().tracking;
  if (tracking_ == nullptr) {
    return Fail(Code::kUnavailable, "this server tracks no runs", "start it with a data directory");
  }
  return {};
}

Status Ask::Read() {
  YARD_TRY(Attach());
  if (call_.request().body.empty()) {
    object_ = FromQuery(call_.query());
    return {};
  }
  YARD_ASSIGN(object_, call_.Body());
  return {};
}

std::optional<std::string> Ask::WorkspaceName() const {
  if (call_.route().path.starts_with(kOnWorkspace)) return std::string(call_.Path("workspace"));
  std::optional<std::string_view> header = call_.request().Find("x-mlflow-workspace");
  if (!header || header->empty()) return std::nullopt;
  return std::string(*header);
}

Result<Ptr<Project>> Ask::NamedProject(std::string_view name) {
  Ptr<Project> found;
  call_.state().Of<Project>().Each([&](const Project& project) {
    if (project.name == name) found = call_.state().Find<Project>(project.id);
    return !found;
  });
  std::string thing = fmt::format("workspace (project) '{}'", name);
  if (!found) return Absent(thing);
  YARD_TRY(Allow(found->id, thing));
  return found;
}

Status Ask::Allow(ProjectId id, std::string_view thing) {
  Ptr<Project> project = call_.state().Find<Project>(id);
  if (!project) return Absent(thing);
  ScopePath where = call_.state().PathOf(*project);
  if (!control::Authorize(call_.state(), call_.who(), kRuns, Action::kRead, where)) {
    return Absent(thing);
  }
  YARD_TRY(call_.Require(where));
  if (std::optional<std::string> name = WorkspaceName(); name && *name != project->name) {
    return Absent(thing);
  }
  return {};
}

Result<std::set<ProjectId>> Ask::Visible() {
  std::set<ProjectId> visible;
  if (std::optional<std::string> name = WorkspaceName()) {
    YARD_ASSIGN(Ptr<Project> project, NamedProject(*name));
    visible.insert(project->id);
    return visible;
  }
  call_.state().Of<Project>().Each([&](const Project& project) {
    if (call_.Sees(call_.state().PathOf(project))) visible.insert(project.id);
    return true;
  });
  return visible;
}

Result<ProjectId> Ask::Workspace() {
  YARD_ASSIGN(std::set<ProjectId> visible, Visible());
  if (visible.size() == 1) return *visible.begin();
  if (visible.empty()) {
    return Fail(Code::kForbidden, fmt::format("{} has no project for this", call_.who().id),
                "ask an administrator for a role in a project");
  }
  std::string first = call_.state().Find<Project>(*visible.begin())->name;
  return Fail(
      Code::kInvalid, "you have several projects, and the request names none",
      fmt::format("set MLFLOW_WORKSPACE={0}, or add /mlflow/{0} to the tracking address", first));
}

std::string DefaultExperimentId(ProjectId project) {
  return control::DefaultExperimentId(project);
}
Experiment DefaultExperiment(ProjectId project) {
  return control::DefaultExperiment(project);
}
Result<Experiment> ExperimentIn(const TrackTxn& txn, const Experiment& known) {
  return control::ExperimentIn(txn, known);
}

Result<Shared<Experiment>> Ask::FindExperiment(std::string_view id) {
  std::string key(id);
  std::string thing = fmt::format("experiment '{}'", id);
  if (id == "0") {
    YARD_ASSIGN(ProjectId project, Workspace());
    key = DefaultExperimentId(project);
  }
  Shared<Experiment> found = catalog().Find<Experiment>(key);
  if (!found && key.starts_with(control::kDefaultExperimentPrefix)) {
    std::optional<std::int64_t> number = ParseInt(std::string_view(key).substr(2));
    if (number) found = std::make_shared<Experiment>(DefaultExperiment(ProjectId{*number}));
  }
  if (!found) return Absent(thing);
  YARD_TRY(Allow(found->project, thing));
  return found;
}

Result<control::RunSlot*> Ask::FindRun(std::string_view id) {
  std::string thing = fmt::format("run '{}'", id);
  control::RunSlot* slot = catalog().FindRun(id);
  if (slot == nullptr) return Absent(thing);
  YARD_TRY(Allow(slot->Get()->project, thing));
  return slot;
}

Result<control::ModelSlot*> Ask::FindModel(std::string_view id) {
  std::string thing = fmt::format("logged model '{}'", id);
  control::ModelSlot* slot = catalog().FindModel(id);
  if (slot == nullptr) return Absent(thing);
  YARD_TRY(Allow(slot->Get()->project, thing));
  return slot;
}

Result<Shared<RegisteredModel>> Ask::FindRegistered(std::string_view name) {
  YARD_ASSIGN(ProjectId project, Workspace());
  auto found = catalog().Find<RegisteredModel>(control::ModelKey(project, name));
  if (found) return found;
  return Absent(fmt::format("registered model '{}'", name));
}

serve::Answer Store(Ask& ask, Changing change) {
  return serve::Later{
      [&tracking = ask.tracking(), change = std::move(change)](http::Respond respond) mutable {
        auto reply = std::make_shared<std::string>();
        tracking.Write(
            [reply, change = std::move(change)](TrackTxn& txn) mutable -> Status {
              YARD_ASSIGN(*reply, change(txn));
              return {};
            },
            [reply, respond = std::move(respond)](Status status) mutable {
              respond(status ? serve::Json(std::move(*reply)) : Refusal(status.error()));
            });
      }};
}

}  // namespace yard::facade::mlflow
