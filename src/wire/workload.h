// Workloads on the wire: what a submission says, and the two ways a workload is shown.
//
// The record is what the kind's own routes answer (workspaces, trainings, …); the listing is the
// one shape that all kinds share under /api/v1/workloads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/wait_note.h"
#include "model/workload.h"
#include "wire/writer.h"

namespace yard::wire {

inline constexpr int kTenantId = 1;

// The fields of a create request beside the spec; the body is valid against its schema already.
struct WorkloadHead {
  std::string name;
  bool name_is_prefix = false;
  bool number_if_taken = false;
  ProjectId project;
  ClusterId cluster;
  bool master_as_worker = false;
};
Result<WorkloadHead> ReadWorkloadHead(const json::object& body);

// Fills in what decisions are made on: image, resources, priority, pools, framework. `master` is
// the master's own spec, if distributed work has one.
Status ReadSpec(Workload& workload, const json::object& spec, const json::object* master);

// Priority and preemptibility; part of ReadSpec. kInvalid names the known classes.
Status ReadPriority(Workload& workload, const json::object& spec);

// The rules a spec sets (time limit, retry, dependencies, …); part of ReadSpec.
Result<RunRules> ReadRules(const json::object& spec);

// A command or its arguments: a text is split as a shell would, a list is taken as it is.
Result<std::vector<std::string>> ReadWords(const json::object& spec, std::string_view field);

// After how many seconds from its end a workload deletes itself; the default is 30 days.
std::int64_t AutoDeletionSeconds(const Workload& workload);

void WriteRecord(Writer& w, const Workload& workload);

// A workload with the names around it.
struct WorkloadView {
  const Workload* workload = nullptr;
  std::string_view project_name;
  std::string_view department_name;
  std::string_view space;            // the namespace
  const Attempt* attempt = nullptr;  // the newest, if there is one
  const WaitNote* waits = nullptr;   // why it waits, if it does and the scheduler has said so
};
enum class Detail { kListed, kFull };
void WriteListing(Writer& w, const WorkloadView& view, Detail detail);

void WriteEvent(Writer& w, const WorkloadEvent& event, const WorkloadView& view);
void WriteHistoryRecord(Writer& w, const WorkloadEvent& event, const WorkloadView& view);

}  // namespace yard::wire
