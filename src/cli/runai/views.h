// Work as Run:ai's command line shows it. Pure.
#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "base/time.h"
#include "cli/table.h"

namespace yard::cli::runai {

// The first grammar's words for a phase: "Succeeded", "ContainerCreating".
std::string OldStatus(const json::value& workload);
// "Train", "Interactive", "Inference".
std::string OldType(const json::value& workload);

// `runai list jobs`, sorted by project, then name.
Table OldList(std::span<const json::value> workloads, Time now);
// `runai describe job`: the fields, the pods, the events.
struct Described {
  const json::value* workload;
  const json::array* pods;
  const json::array* events;
};
std::string OldDescribe(const Described& described, Time now);

// `runai workspace list` and the like.
Table NewList(std::span<const json::value> workloads);
// `runai workspace describe`, with the parts that were asked for.
struct Parts {
  bool general = true;
  bool compute = true;
  bool pods = true;
  bool events = true;
  bool networks = true;
};
std::string NewDescribe(const Described& described, const Parts& parts, Time now);

}  // namespace yard::cli::runai
