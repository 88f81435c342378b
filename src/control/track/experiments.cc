#include "control/track/experiments.h"

#include <fmt/format.h>

namespace yard::control {
namespace {

// What clients resolve artifacts by: the server passes the files on itself.
std::string LocationOf(std::string_view id) {
  return fmt::format("mlflow-artifacts:/{}", id);
}

Result<Experiment> Named(TrackTxn& txn, ProjectId project, const std::string& name) {
  if (name.empty() || name == kDefaultExperimentName) {
    return ExperimentIn(txn, DefaultExperiment(project));
  }
  if (Shared<Experiment> there = txn.ExperimentNamed(project, name)) return *there;
  std::string id = txn.NextExperimentId();
  return Experiment{.id = id,
                    .project = project,
                    .name = name,
                    .artifact_location = LocationOf(id),
                    .created_at = txn.now(),
                    .updated_at = txn.now()};
}

}  // namespace

std::string DefaultExperimentId(ProjectId project) {
  return fmt::format("{}{}", kDefaultExperimentPrefix, project.value);
}

Experiment DefaultExperiment(ProjectId project) {
  std::string id = DefaultExperimentId(project);
  return {.id = id,
          .project = project,
          .name = std::string(kDefaultExperimentName),
          .artifact_location = LocationOf(id)};
}

Result<Experiment> ExperimentIn(const TrackTxn& txn, const Experiment& known) {
  if (Shared<Experiment> stored = txn.Find<Experiment>(known.id)) return *stored;
  Experiment made = known;
  made.created_at = txn.now();
  made.updated_at = txn.now();
  return made;
}

Result<Experiment> HomeFor(TrackTxn& txn, ProjectId project, const std::string& name) {
  YARD_ASSIGN(Experiment home, Named(txn, project, name));
  if (home.lifecycle == Lifecycle::kDeleted) {
    return Fail(Code::kInvalid, fmt::format("experiment '{}' is deleted", home.name),
                "restore it first, or name another one");
  }
  if (!txn.Find<Experiment>(home.id)) txn.Put(home);
  return home;
}

Status CheckHome(const Catalog& catalog, const TrackedRun& run) {
  Shared<Experiment> home = catalog.Find<Experiment>(run.experiment);
  if (!home || home->lifecycle == Lifecycle::kActive) return {};
  return Fail(
      Code::kInvalid,
      fmt::format("run '{}' belongs to experiment '{}', which is deleted", run.id, home->name),
      "restore the experiment first");
}

}  // namespace yard::control
