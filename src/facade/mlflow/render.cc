#include "facade/mlflow/render.h"

#include <cmath>

namespace yard::facade::mlflow {
namespace {

void WriteNumber(wire::Writer& w, std::string_view name, double value) {
  if (std::isfinite(value)) return w(name, value);
  w(name, std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

void WriteDataset(wire::Writer& w, const DatasetInput& input) {
  w.Begin();
  WriteKeyValues(w, "tags", input.tags);
  w.Key("dataset");
  w.Begin();
  w("name", input.name);
  w("digest", input.digest);
  w("source_type", input.source_type);
  w("source", input.source);
  if (!input.schema.empty()) w("schema", input.schema);
  if (!input.profile.empty()) w("profile", input.profile);
  w.End();
  w.End();
}

void WriteInputs(wire::Writer& w, const TrackedRun& run) {
  w.Key("inputs");
  w.Begin();
  w.Key("dataset_inputs");
  w.BeginList();
  for (const DatasetInput& input : run.datasets) {
    w.Item();
    WriteDataset(w, input);
  }
  w.EndList();
  w.Key("model_inputs");
  w.BeginList();
  for (const std::string& model : run.model_inputs) {
    w.Item();
    w.Begin();
    w("model_id", model);
    w.End();
  }
  w.EndList();
  w.End();
}

void WriteOutputs(wire::Writer& w, const TrackedRun& run) {
  w.Key("outputs");
  w.Begin();
  w.Key("model_outputs");
  w.BeginList();
  for (const ModelOutput& output : run.model_outputs) {
    w.Item();
    w.Begin();
    w("model_id", output.model);
    w("step", output.step);
    w.End();
  }
  w.EndList();
  w.End();
}

}  // namespace

std::int64_t Milliseconds(Time time) {
  return time.micros / 1000;
}

void WriteKeyValues(wire::Writer& w, std::string_view name, const Tags& pairs) {
  w.Key(name);
  w.BeginList();
  for (const auto& [key, value] : pairs) {
    w.Item();
    w.Begin();
    w("key", key);
    w("value", value);
    w.End();
  }
  w.EndList();
}

void WriteMetric(wire::Writer& w, std::string_view key, const MetricPoint& point) {
  w.Begin();
  w("key", key);
  WriteNumber(w, "value", point.value);
  w("timestamp", Milliseconds(point.time));
  w("step", point.step);
  w.End();
}

void WriteMetrics(wire::Writer& w, std::string_view name, const control::LatestMetrics& latest) {
  w.Key(name);
  w.BeginList();
  for (const auto& [key, point] : latest) {
    w.Item();
    WriteMetric(w, key, point);
  }
  w.EndList();
}

void Write(wire::Writer& w, const Experiment& experiment) {
  w.Begin();
  w("experiment_id", experiment.id);
  w("name", experiment.name);
  w("artifact_location", experiment.artifact_location);
  w("lifecycle_stage", wire::ToName(experiment.lifecycle));
  w("last_update_time", Milliseconds(experiment.updated_at));
  w("creation_time", Milliseconds(experiment.created_at));
  WriteKeyValues(w, "tags", experiment.tags);
  w.End();
}

void WriteInfo(wire::Writer& w, const TrackedRun& run) {
  w.Begin();
  w("run_id", run.id);
  w("run_uuid", run.id);
  w("run_name", run.name);
  w("experiment_id", run.experiment);
  w("user_id", run.user);
  w("status", wire::ToName(run.status));
  w("start_time", Milliseconds(run.start));
  if (run.end) w("end_time", Milliseconds(*run.end));
  w("artifact_uri", run.artifact_uri);
  w("lifecycle_stage", wire::ToName(run.lifecycle));
  w.End();
}

void Write(wire::Writer& w, const TrackedRun& run, const control::LatestMetrics& latest) {
  w.Begin();
  w.Key("info");
  WriteInfo(w, run);
  w.Key("data");
  w.Begin();
  WriteMetrics(w, "metrics", latest);
  WriteKeyValues(w, "params", run.params);
  WriteKeyValues(w, "tags", run.tags);
  w.End();
  WriteInputs(w, run);
  WriteOutputs(w, run);
  w.End();
}

}  // namespace yard::facade::mlflow
