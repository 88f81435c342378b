#include <string>
#include <utility>

#include <fmt/format.h>

#include "facade/mlflow/artifact_place.h"
#include "facade/mlflow/ask.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"
#include "facade/mlflow/rules.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;

std::string ExperimentJson(const Experiment& experiment) {
  return Wrapped("experiment", [&](wire::Writer& w) { Write(w, experiment); });
}

Result<Answer> Create(Ask& ask) {
  Fields fields(ask.object());
  Experiment made{.name = fields.NeedText("name"),
                  .artifact_location = fields.Text("artifact_location"),
                  .tags = fields.KeyValues("tags")};
  YARD_TRY(fields.Check());
  YARD_TRY(CheckName("experiment", made.name));
  YARD_TRY(CheckTags(made.tags));
  YARD_ASSIGN(made.project, ask.Workspace());
  YARD_TRY(AllowLocation(ask, made.artifact_location));
  return Store(ask, [made = std::move(made)](TrackTxn& txn) mutable -> Result<std::string> {
    Shared<Experiment> there = txn.ExperimentNamed(made.project, made.name);
    if (there || made.name == "Default") {
      bool hidden = there && there->lifecycle == Lifecycle::kDeleted;
      return Fail(
          Code::kConflict, fmt::format("experiment '{}' exists already", made.name),
          hidden ? "it is deleted: restore it, or choose another name" : "choose another name");
    }
    made.id = txn.NextExperimentId();
    if (made.artifact_location.empty()) made.artifact_location = "mlflow-artifacts:/" + made.id;
    made.created_at = txn.now();
    made.updated_at = txn.now();
    std::string id = made.id;
    txn.Put(std::move(made));
    return Wrapped("experiment_id", [&](wire::Writer& w) { w.Value(id); });
  });
}

Result<Answer> Get(Ask& ask) {
  Fields fields(ask.object());
  std::string id = fields.NeedText("experiment_id");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(Shared<Experiment> experiment, ask.FindExperiment(id));
  return serve::Json(ExperimentJson(*experiment));
}

Result<Answer> GetByName(Ask& ask) {
  Fields fields(ask.object());
  std::string name = fields.NeedText("experiment_name");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(std::set<ProjectId> visible, ask.Visible());
  Shared<Experiment> found;
  for (ProjectId project : visible) {
    Shared<Experiment> named = ask.catalog().ExperimentNamed(project, name);
    if (named && found) {
      return Fail(Code::kInvalid,
                  fmt::format("several of your projects have an experiment '{}'", name),
                  "name the project with MLFLOW_WORKSPACE");
    }
    if (named) found = named;
  }
  if (!found && name == "Default" && visible.size() == 1) {
    found = std::make_shared<Experiment>(DefaultExperiment(*visible.begin()));
  }
  if (!found) return Fail(Code::kNotFound, fmt::format("experiment '{}' does not exist", name));
  return serve::Json(ExperimentJson(*found));
}

// A change of one experiment by `edit(experiment)`, which gives a Status.
template <class Edit>
Result<Answer> Change(Ask& ask, std::string_view id, Edit edit) {
  YARD_ASSIGN(Shared<Experiment> known, ask.FindExperiment(id));
  return Store(ask, [known, edit = std::move(edit)](TrackTxn& txn) -> Result<std::string> {
    YARD_ASSIGN(Experiment experiment, ExperimentIn(txn, *known));
    YARD_TRY(edit(txn, experiment));
    experiment.updated_at = txn.now();
    txn.Put(std::move(experiment));
    return "{}";
  });
}

Result<Answer> Update(Ask& ask) {
  Fields fields(ask.object());
  std::string id = fields.NeedText("experiment_id");
  std::string name = fields.NeedText("new_name");
  YARD_TRY(fields.Check());
  YARD_TRY(CheckName("experiment", name));
  return Change(ask, id, [name](TrackTxn& txn, Experiment& experiment) -> Status {
    Shared<Experiment> there = txn.ExperimentNamed(experiment.project, name);
    if (there && there->id != experiment.id) {
      return Fail(Code::kConflict, fmt::format("experiment '{}' exists already", name),
                  "choose another name");
    }
    if (experiment.lifecycle == Lifecycle::kDeleted) {
      return Fail(Code::kInvalid, fmt::format("experiment '{}' is deleted", experiment.id),
                  "restore it first");
    }
    experiment.name = name;
    return {};
  });
}

template <Lifecycle kTo>
Result<Answer> Move(Ask& ask) {
  Fields fields(ask.object());
  std::string id = fields.NeedText("experiment_id");
  YARD_TRY(fields.Check());
  return Change(ask, id, [](TrackTxn&, Experiment& experiment) -> Status {
    if (experiment.lifecycle == kTo) {
      return Fail(Code::kNotFound,
                  fmt::format("experiment '{}' is {} already", experiment.id, wire::ToName(kTo)));
    }
    experiment.lifecycle = kTo;
    return {};
  });
}

Result<Answer> SetTag(Ask& ask) {
  Fields fields(ask.object());
  std::string id = fields.NeedText("experiment_id");
  std::string key = fields.NeedText("key");
  std::string value = fields.Text("value");
  YARD_TRY(fields.Check());
  YARD_TRY(CheckTag(key, value));
  return Change(ask, id, [key, value](TrackTxn&, Experiment& experiment) -> Status {
    experiment.tags[key] = value;
    return {};
  });
}

Result<Answer> DeleteTag(Ask& ask) {
  Fields fields(ask.object());
  std::string id = fields.NeedText("experiment_id");
  std::string key = fields.NeedText("key");
  YARD_TRY(fields.Check());
  return Change(ask, id, [key](TrackTxn&, Experiment& experiment) -> Status {
    if (experiment.tags.erase(key) > 0) return {};
    return Fail(Code::kNotFound, fmt::format("there is no tag '{}'", key));
  });
}

}  // namespace

void AddExperimentRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need create = serve::May(Action::kCreate, Resource::kTrainings);
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  const serve::Need remove = serve::May(Action::kDelete, Resource::kTrainings);
  routes.insert(
      routes.end(),
      {
          {Method::kPost, "/api/2.0/mlflow/experiments/create", create, On<Create>,
           "Create experiment"},
          {Method::kGet, "/api/2.0/mlflow/experiments/get", read, On<Get>, "Get experiment"},
          {Method::kGet, "/api/2.0/mlflow/experiments/get-by-name", read, On<GetByName>,
           "Get experiment by name"},
          {Method::kPost, "/api/2.0/mlflow/experiments/update", update, On<Update>,
           "Rename experiment"},
          {Method::kPost, "/api/2.0/mlflow/experiments/delete", remove,
           On<Move<Lifecycle::kDeleted>>, "Delete experiment"},
          {Method::kPost, "/api/2.0/mlflow/experiments/restore", remove,
           On<Move<Lifecycle::kActive>>, "Restore experiment"},
          {Method::kPost, "/api/2.0/mlflow/experiments/set-experiment-tag", update, On<SetTag>,
           "Set a tag of an experiment"},
          {Method::kPost, "/api/2.0/mlflow/experiments/delete-experiment-tag", update,
           On<DeleteTag>, "Delete a tag of an experiment"},
      });
}

}  // namespace yard::facade::mlflow
