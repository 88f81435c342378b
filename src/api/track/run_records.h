// What a training program says about its run, record by record, as one change of the run.
//
// Records are the lines of the file that the Python module keeps. Later ones win over earlier ones,
// and every one carries its own time, so a batch that comes twice changes nothing the second time.
// Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/metric.h"
#include "model/tracking.h"

namespace yard::api {

// How a run began.
struct RunStart {
  std::string project;   // as the program calls it; empty: it names none
  std::string workload;  // the id of the workload it runs in, if any
  std::string name;
  Time at;
};

struct RunEnd {
  RunStatus status = RunStatus::kFinished;
  Time at;
};

struct RunRecords {
  std::optional<RunStart> start = std::nullopt;
  std::optional<RunEnd> end = std::nullopt;
  Tags params = {};
  Tags tags = {};
  std::map<std::string, std::vector<MetricPoint>> points = {};

  bool changes_run() const { return start || end || !params.empty() || !tags.empty(); }
};

// `records` are valid against RunRecord. The error names the record that cannot be read.
Result<RunRecords> ReadRunRecords(const json::array& records);

}  // namespace yard::api
