// Reads the description of a cluster: pools, nodes, departments, projects, rules.
//
// The document is JSON, or YAML turned into it. Every field is checked; the first wrong one is
// named by its path ("nodes[2].gpus") in the message and in Error::fields. Form: docs/simulate.md.
// Thread rule: a pure function.
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "sched/policy.h"
#include "sched/snapshot.h"

namespace yard::sim {

struct ClusterFile {
  sched::Snapshot snapshot;  // no users, shapes or workloads yet
  sched::Policy policy;
  Micros half_life = Days(7);  // of past usage, for decayed fair share
};

Result<ClusterFile> ReadCluster(const json::value& document);

}  // namespace yard::sim
