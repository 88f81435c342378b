// One request of an MLflow client: its fields, the project it is about, the things it names.
//
// A thing that the caller may not read is answered as absent; one that may be read but not changed
// is refused. Lives as long as the call.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "control/track/tracking.h"
#include "facade/mlflow/fields.h"
#include "model/org.h"
#include "serve/call.h"

namespace yard::facade::mlflow {

using control::KeyOf;
using control::Shared;
using control::TrackTxn;

class Ask {
 public:
  explicit Ask(serve::Call& call) : call_(call) {}
  Ask(const Ask&) = delete;
  Ask& operator=(const Ask&) = delete;

  // Takes the fields from the query or the body.
  Status Read();
  // For a body that is a file: takes no field.
  Status Attach();

  serve::Call& call() { return call_; }
  const json::object& object() const { return object_; }
  control::Tracking& tracking() { return *tracking_; }
  const control::Catalog& catalog() const { return tracking_->catalog(); }

  // The project that is named, or the only one in which the caller may do this.
  Result<ProjectId> Workspace();
  // Every project whose runs the caller may read; only the named one if one is named.
  Result<std::set<ProjectId>> Visible();

  Result<Ptr<Project>> NamedProject(std::string_view name);
  // Whether the caller may do in that project what the route is about.
  Status Allow(ProjectId project, std::string_view thing);
  Result<Shared<Experiment>> FindExperiment(std::string_view id);
  Result<control::RunSlot*> FindRun(std::string_view id);
  Result<control::ModelSlot*> FindModel(std::string_view id);
  Result<Shared<RegisteredModel>> FindRegistered(std::string_view name);

 private:
  std::optional<std::string> WorkspaceName() const;

  serve::Call& call_;
  control::Tracking* tracking_ = nullptr;
  json::object object_;
};

// The experiment that every project has from the start; it is stored with its first run.
std::string DefaultExperimentId(ProjectId project);
Experiment DefaultExperiment(ProjectId project);
// As stored, or the default one.
Result<Experiment> ExperimentIn(const TrackTxn& txn, const Experiment& known);

// The answer of a change: what it gives is sent once it is durable.
using Changing = std::move_only_function<Result<std::string>(TrackTxn&)>;
serve::Answer Store(Ask& ask, Changing change);

// Makes a route's handler out of a function of an Ask. OnFile is for bodies that are files.
template <Result<serve::Answer> (*Handle)(Ask& ask)>
Result<serve::Answer> OnFile(serve::Call& call) {
  Ask ask(call);
  YARD_TRY(ask.Attach());
  return Handle(ask);
}
template <Result<serve::Answer> (*Handle)(Ask& ask)>
Result<serve::Answer> On(serve::Call& call) {
  Ask ask(call);
  YARD_TRY(ask.Read());
  return Handle(ask);
}

}  // namespace yard::facade::mlflow
