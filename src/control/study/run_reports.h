// What a trial has logged to tracking: by MLflow's calls, or by anything else that writes runs.
//
// A run belongs to a trial if its tag names the trial's workload and it lies in the project of the
// study: a tag alone is a claim that anybody may make. Places are not stored: after a restart
// histories are read once more, and steps that were reported keep their values.
//
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "control/study/engine.h"
#include "control/track/tracking.h"
#include "model/study.h"

namespace yard::control {

class RunReports {
 public:
  // Null: there is no tracking. It must outlive this.
  explicit RunReports(Tracking* tracking) : tracking_(tracking) {}

  // Finds runs that have begun since the last call.
  void Refresh(const Study& study);
  // What is new of this workload's runs, by step.
  Result<std::vector<TrialValues>> Read(const Study& study, WorkloadId workload);
  void Forget(WorkloadId workload);

 private:
  using Place = std::pair<std::string, std::string>;  // run and metric

  Status ReadMetric(const StudySpec& spec, RunSlot& run, const std::string& id, std::size_t metric,
                    std::vector<TrialValues>& reports);

  Tracking* tracking_;
  std::size_t known_ = 0;                    // runs that there were
  std::map<std::string, std::size_t> seen_;  // runs looked at, by experiment
  std::unordered_map<WorkloadId, std::vector<std::string>> runs_;
  std::map<Place, MetricPoint> read_;  // up to here
};

}  // namespace yard::control
