#include <string>
#include <utility>

#include <fmt/format.h>

#include "facade/mlflow/ask.h"
#include "facade/mlflow/render.h"
#include "facade/mlflow/routes.h"
#include "facade/mlflow/rules.h"
#include "facade/mlflow/run_change.h"
#include "facade/mlflow/run_names.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;

constexpr std::string_view kNameTag = "mlflow.runName";

Status CheckOpen(const Experiment& experiment) {
  if (experiment.lifecycle == Lifecycle::kActive) return {};
  return Fail(Code::kInvalid, fmt::format("experiment '{}' is deleted", experiment.id),
              "restore it first");
}

// The name stands in a tag too; if both are given they must agree.
Status SettleName(TrackedRun& run, Random& random) {
  auto tag = run.tags.find(std::string(kNameTag));
  if (tag != run.tags.end() && !run.name.empty() && tag->second != run.name) {
    return Fail(
        Code::kInvalid,
        fmt::format("run_name is '{}', but the tag {} is '{}'", run.name, kNameTag, tag->second),
        "send only one of them");
  }
  if (run.name.empty() && tag != run.tags.end()) run.name = tag->second;
  if (run.name.empty()) run.name = RandomRunName(random);
  run.tags[std::string(kNameTag)] = run.name;
  return {};
}

Result<Answer> Create(Ask& ask) {
  Fields fields(ask.object());
  std::string experiment = fields.NeedText("experiment_id");
  TrackedRun run{.name = fields.Text("run_name"),
                 .user = fields.Text("user_id"),
                 .start = fields.MaybeTime("start_time").value_or(ask.call().now()),
                 .tags = fields.KeyValues("tags")};
  YARD_TRY(fields.Check());
  YARD_TRY(CheckTags(run.tags));
  YARD_ASSIGN(Shared<Experiment> known, ask.FindExperiment(experiment));
  if (run.user.empty()) run.user = ask.call().who().id;
  return Store(ask, [known, run = std::move(run)](TrackTxn& txn) mutable -> Result<std::string> {
    YARD_ASSIGN(Experiment home, ExperimentIn(txn, *known));
    YARD_TRY(CheckOpen(home));
    YARD_TRY(SettleName(run, txn.random()));
    run.id = txn.NewId();
    run.experiment = home.id;
    run.project = home.project;
    run.artifact_uri = fmt::format("{}/{}/artifacts", home.artifact_location, run.id);
    if (!txn.Find<Experiment>(home.id)) txn.Put(std::move(home));
    std::string reply = Wrapped("run", [&](wire::Writer& w) { Write(w, run, {}); });
    txn.Put(std::move(run));
    return reply;
  });
}

Result<Answer> Get(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  YARD_TRY(fields.Check());
  YARD_ASSIGN(control::RunSlot * slot, ask.FindRun(id));
  return serve::Json(
      Wrapped("run", [&](wire::Writer& w) { Write(w, *slot->Get(), slot->Latest()); }));
}

struct RunUpdate {
  std::optional<RunStatus> status;
  std::optional<Time> end;
  std::string name;
};

Status Apply(const RunUpdate& update, TrackedRun& run) {
  YARD_TRY(CheckActive(run));
  if (update.status) run.status = *update.status;
  if (update.end) run.end = update.end;
  if (update.name.empty()) return {};
  run.name = update.name;
  run.tags[std::string(kNameTag)] = update.name;
  return {};
}

Result<Answer> Update(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::string status = fields.Text("status");
  RunUpdate update{.end = fields.MaybeTime("end_time"), .name = fields.Text("run_name")};
  if (!status.empty()) {
    update.status = wire::FromName<RunStatus>(status);
    if (!update.status) fields.Wrong("status", "is not a status of a run");
  }
  YARD_TRY(fields.Check());
  YARD_ASSIGN(control::RunSlot * slot, ask.FindRun(id));
  return Store(ask, [known = slot->Get(), update](TrackTxn& txn) -> Result<std::string> {
    TrackedRun run = *txn.Find<TrackedRun>(known->id);
    YARD_TRY(Apply(update, run));
    std::string reply = Wrapped("run_info", [&](wire::Writer& w) { WriteInfo(w, run); });
    txn.Put(std::move(run));
    return reply;
  });
}

template <Lifecycle kTo>
Result<Answer> Move(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  YARD_TRY(fields.Check());
  return ChangeRun(ask, id, [](TrackedRun& run) -> Status {
    run.lifecycle = kTo;
    return {};
  });
}

Result<Answer> SetTag(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::string key = fields.NeedText("key");
  std::string value = fields.Text("value");
  YARD_TRY(fields.Check());
  YARD_TRY(CheckTag(key, value));
  return ChangeRun(ask, id, [key, value](TrackedRun& run) -> Status {
    YARD_TRY(CheckActive(run));
    if (key == kNameTag) run.name = value;
    run.tags[key] = value;
    return {};
  });
}

Result<Answer> DeleteTag(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::string key = fields.NeedText("key");
  YARD_TRY(fields.Check());
  return ChangeRun(ask, id, [key](TrackedRun& run) -> Status {
    YARD_TRY(CheckActive(run));
    if (run.tags.erase(key) > 0) return {};
    return Fail(Code::kNotFound, fmt::format("run '{}' has no tag '{}'", run.id, key));
  });
}

Result<Answer> LogParam(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::string key = fields.NeedText("key");
  std::string value = fields.Text("value");
  YARD_TRY(fields.Check());
  YARD_TRY(CheckParam(key, value));
  return ChangeRun(ask, id, [key, value](TrackedRun& run) -> Status {
    YARD_TRY(CheckActive(run));
    return AddParam(run, key, value);
  });
}

}  // namespace

void AddRunRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need create = serve::May(Action::kCreate, Resource::kTrainings);
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  const serve::Need remove = serve::May(Action::kDelete, Resource::kTrainings);
  routes.insert(
      routes.end(),
      {
          {Method::kPost, "/api/2.0/mlflow/runs/create", create, On<Create>, "Create run"},
          {Method::kGet, "/api/2.0/mlflow/runs/get", read, On<Get>, "Get run"},
          {Method::kPost, "/api/2.0/mlflow/runs/update", update, On<Update>, "Update run"},
          {Method::kPost, "/api/2.0/mlflow/runs/delete", remove, On<Move<Lifecycle::kDeleted>>,
           "Delete run"},
          {Method::kPost, "/api/2.0/mlflow/runs/restore", remove, On<Move<Lifecycle::kActive>>,
           "Restore run"},
          {Method::kPost, "/api/2.0/mlflow/runs/set-tag", update, On<SetTag>, "Set a tag of a run"},
          {Method::kPost, "/api/2.0/mlflow/runs/delete-tag", update, On<DeleteTag>,
           "Delete a tag of a run"},
          {Method::kPost, "/api/2.0/mlflow/runs/log-parameter", update, On<LogParam>,
           "Log a parameter"},
      });
}

}  // namespace yard::facade::mlflow
