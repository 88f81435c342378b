// The home of runs: experiments of a project, the default one among them.
//
// Every project has the experiment `Default` from the start; it is stored with its first run.
// Pure functions and changes in the making; see changes.h for their thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "control/track/catalog.h"
#include "control/track/changes.h"
#include "model/tracking.h"

namespace yard::control {

// Default experiments are named by their project: `0-7`.
inline constexpr std::string_view kDefaultExperimentPrefix = "0-";
inline constexpr std::string_view kDefaultExperimentName = "Default";

std::string DefaultExperimentId(ProjectId project);
Experiment DefaultExperiment(ProjectId project);

// As stored, or `known` made now.
Result<Experiment> ExperimentIn(const TrackTxn& txn, const Experiment& known);

// The experiment of that name, made if there is none; `Default` if the name is empty. A deleted one
// is refused.
Result<Experiment> HomeFor(TrackTxn& txn, ProjectId project, const std::string& name);

// Runs of a deleted experiment take nothing, whether they are deleted themselves or not.
Status CheckHome(const Catalog& catalog, const TrackedRun& run);

}  // namespace yard::control
