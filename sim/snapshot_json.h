// What the scheduler saw, as JSON: both directions, every field of Snapshot and Policy.
//
// One object {"policy": {...}, "snapshot": {...}} with the field names of the structs. Amounts are
// in their own units (milli-GPU, milli-CPU, MiB), times and spans in microseconds, indices are
// rows of their tables, -1 is none. A field left out keeps its default; an unknown one or a wrong
// value is refused with its path ("snapshot.nodes[3].cpu"). Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sim {

struct Capture {
  sched::Snapshot snapshot;
  sched::Policy policy;
};

std::string WriteCapture(Capture capture);
// Only the form is checked here; sched::Schedule checks that the values are possible.
Result<Capture> ReadCapture(std::string_view text);

}  // namespace yard::sim
