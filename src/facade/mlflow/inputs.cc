#include <string>
#include <utility>

#include <boost/json/value.hpp>

#include "facade/mlflow/ask.h"
#include "facade/mlflow/routes.h"
#include "facade/mlflow/rules.h"
#include "facade/mlflow/run_change.h"

namespace yard::facade::mlflow {
namespace {

using serve::Answer;

Result<DatasetInput> ReadDataset(const json::object& object) {
  Fields outer(object);
  Fields fields(outer.Object("dataset"));
  DatasetInput input{.name = fields.NeedText("name"),
                     .digest = fields.NeedText("digest"),
                     .source_type = fields.Text("source_type"),
                     .source = fields.Text("source"),
                     .schema = fields.Text("schema"),
                     .profile = fields.Text("profile"),
                     .tags = outer.KeyValues("tags")};
  YARD_TRY(outer.Check());
  YARD_TRY(fields.Check());
  YARD_TRY(CheckTags(input.tags));
  return input;
}

// The same dataset once more changes nothing.
void Add(TrackedRun& run, const DatasetInput& input) {
  for (const DatasetInput& known : run.datasets) {
    if (known.name == input.name && known.digest == input.digest) return;
  }
  run.datasets.push_back(input);
}

Result<Answer> LogInputs(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::vector<DatasetInput> datasets;
  for (const json::object* object : fields.Objects("datasets")) {
    YARD_ASSIGN(DatasetInput input, ReadDataset(*object));
    datasets.push_back(std::move(input));
  }
  std::vector<std::string> models;
  for (const json::object* object : fields.Objects("models")) {
    models.push_back(Fields(*object).Text("model_id"));
  }
  YARD_TRY(fields.Check());
  return ChangeRun(ask, id, [datasets, models](TrackedRun& run) -> Status {
    YARD_TRY(CheckActive(run));
    for (const DatasetInput& input : datasets) Add(run, input);
    run.model_inputs.insert(run.model_inputs.end(), models.begin(), models.end());
    return {};
  });
}

Result<Answer> LogOutputs(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::vector<ModelOutput> outputs;
  for (const json::object* object : fields.Objects("models")) {
    Fields model(*object);
    outputs.push_back({.model = model.NeedText("model_id"), .step = model.Int("step")});
    YARD_TRY(model.Check());
  }
  YARD_TRY(fields.Check());
  return ChangeRun(ask, id, [outputs](TrackedRun& run) -> Status {
    YARD_TRY(CheckActive(run));
    run.model_outputs.insert(run.model_outputs.end(), outputs.begin(), outputs.end());
    return {};
  });
}

// The 2.x client describes a model that it has uploaded as an artifact.
Result<Answer> LogModel(Ask& ask) {
  Fields fields(ask.object());
  std::string id = RunIdOf(fields);
  std::string model = fields.NeedText("model_json");
  YARD_TRY(fields.Check());
  YARD_ASSIGN(json::value parsed, ParseJson(model));
  if (!parsed.is_object()) return Fail(Code::kInvalid, "model_json is no JSON object");
  return ChangeRun(ask, id, [model](TrackedRun& run) -> Status {
    YARD_TRY(CheckActive(run));
    std::string& history = run.tags["mlflow.log-model.history"];
    if (history.ends_with(']') && history.size() > 2) {
      history.back() = ',';
      history += model + "]";
    } else {
      history = "[" + model + "]";
    }
    return {};
  });
}

}  // namespace

void AddInputRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need update = serve::May(Action::kUpdate, Resource::kTrainings);
  routes.insert(routes.end(), {
                                  {Method::kPost, "/api/2.0/mlflow/runs/log-inputs", update,
                                   On<LogInputs>, "Log datasets and models that a run uses"},
                                  {Method::kPost, "/api/2.0/mlflow/runs/outputs", update,
                                   On<LogOutputs>, "Log models that a run makes"},
                                  {Method::kPost, "/api/2.0/mlflow/runs/log-model", update,
                                   On<LogModel>, "Log a model as an artifact"},
                              });
}

}  // namespace yard::facade::mlflow
