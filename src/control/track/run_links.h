// How runs and workloads find each other.
//
// A run names its workload in a tag. A workload's own run, which its program logs to without naming
// one, has the workload's id without hyphens as its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/uuid.h"
#include "model/ids.h"
#include "model/tracking.h"

namespace yard::control {

inline constexpr std::string_view kWorkloadTag = "gpuyard.workload";

// 32 hexadecimal digits.
std::string OwnRunOf(WorkloadId workload);

// Whether a text may be the id of a run.
bool IsRunId(std::string_view text);

// The workload whose own run this would be.
WorkloadId OwnerOf(std::string_view run_id);

// The workload that the run's tag names.
std::optional<WorkloadId> WorkloadOf(const TrackedRun& run);

}  // namespace yard::control
