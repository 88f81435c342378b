// Refuses impossible snapshots: an error names the table, the row and the field.
#pragma once

#include "base/result.h"
#include "sched/snapshot.h"

namespace yard::sched {

// "workloads[3] (x/new): field queue: 17 is not a row of queues". The field is in Error::fields.
Status Validate(const Snapshot& snapshot);

// One workload against the other tables (and, if running, only its own shape).
Status ValidateWorkload(const Snapshot& snapshot, const Workload& workload, std::size_t row);

}  // namespace yard::sched
