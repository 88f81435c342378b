// What a workload asks for, in the scheduler's words.
#pragma once

#include <functional>
#include <optional>

#include "control/sched/tables.h"
#include "model/workload.h"
#include "sched/snapshot.h"

namespace yard::control {

// Gives equal shapes one index.
using InternShape = std::function<sched::ShapeIndex(sched::TaskShape)>;

// The id by which the scheduler knows it: the order of creation.
sched::WorkloadId OrderOf(WorkloadId id);

// Everything but its state, its tasks and when it started. Nothing if it uses a label, resource
// or user the tables have no row for: `missing` says which, and the tables must be made again.
std::optional<sched::Workload> DescribeWorkload(const SchedTables& tables, const Workload& workload,
                                                const InternShape& intern, ExtraWords& missing);

// Where elastic work is allowed: its workers, the last group, may be any number that it accepts.
void AllowElastic(const Workload& workload, sched::Workload& row);

// What a task without a stated need counts as, so that such work is bounded too.
inline constexpr MilliCpu kUsualCpu{100};
inline constexpr Mebibytes kUsualMemory{100};

}  // namespace yard::control
