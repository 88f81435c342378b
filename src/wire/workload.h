// Workloads on the wire: what a submission says, and the two ways a workload is shown.
//
// The record is what the kind's own routes answer (workspaces, trainings, …); the listing is the
// one shape that all kinds share under /api/v1/workloads.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

// One spec of a submission, as a value and as text.
struct SentSpec {
  const json::object& value;
  std::string text;
};
// Takes the specs into the workload with everything that is decided on them: resources, rules,
// priority. `master` is the master's own spec, if distributed work has one.
Status TakeSpec(Workload& workload, SentSpec spec, std::optional<SentSpec> master = std::nullopt);
// The same for work of one spec, from text.
Status TakeSpecText(Workload& workload, std::string_view spec);

// Priority and preemptibility; absent: those of the class. kInvalid names the known classes.
Status SetPriority(Workload& workload, std::string_view class_name,
                   std::optional<bool> preemptible);

// The rules a spec sets (time limit, retry, dependencies, …); part of TakeSpec.
Result<RunRules> ReadRules(const json::object& spec);

void WriteRecord(Writer& w, const Workload& workload);

// A workload with the names around it.
struct WorkloadView {
  const Workload* workload = nullptr;
  std::string_view project_name;
  std::string_view department_name;
  std::string_view space;            // the namespace
  const Attempt* attempt = nullptr;  // the newest, if there is one
  const WaitNote* waits = nullptr;   // why it waits, if it does and the scheduler has said so
  std::string_view tools = {};       // where tools are reached, without a slash at the end
  std::string_view pool = {};        // of the attempt that holds its places
  Mebibytes gpu_memory = {};         // that the places hold
  std::string_view cluster_name = {};
};
void WriteListing(Writer& w, const WorkloadView& view);
// Whether the reader, given the permission to change it, may go into its tasks.
enum class Entry { kOpen, kClosed };
// With what only the page about it shows.
void WriteDetails(Writer& w, const WorkloadView& view, Entry entry);

void WriteEvent(Writer& w, const WorkloadEvent& event, const WorkloadView& view);
void WriteHistoryRecord(Writer& w, const WorkloadEvent& event, const WorkloadView& view);

}  // namespace yard::wire
