// Reads a list of jobs (as in the Philly traces) and a plan of node faults.
//
// Columns of jobs: id, user, project, submit_s, duration_s, gpus; optional: gpu_fraction (of each
// GPU), cpu (cores), memory_mib, priority, preemptible (true, false), nodes. Amounts are those of
// the whole job; with nodes above 1 they are split evenly and all parts start together.
// Columns of faults: time_s, node, state (down, up).
// The first wrong row is refused with list, line and column. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "base/result.h"
#include "base/time.h"
#include "sched/snapshot.h"

namespace yard::sim {

struct Job {
  int line = 0;  // of the list
  std::string id;
  std::string user;
  std::string project;
  Time submit;
  Micros duration{0};  // positive
  Micros limit{0};     // of time, at least the duration; 0: none
  std::int32_t nodes = 1;
  std::int32_t gpus_per_node = 0;
  MilliGpu gpu_each{1000};
  MilliCpu cpu_per_node;
  Mebibytes memory_per_node;
  std::int32_t priority = 50;
  sched::Preemptibility preemptibility = sched::Preemptibility::kPreemptible;

  MilliGpu TotalGpu() const { return gpu_each * gpus_per_node * nodes; }
};

struct Fault {
  int line = 0;  // of the list
  Time at;
  std::string node;
  sched::NodeState state = sched::NodeState::kDown;
};

// In the order of the list.
Result<std::vector<Job>> ParseJobs(std::string_view csv, std::string_view list = "jobs");
Result<std::vector<Fault>> ParseFaults(std::string_view csv, std::string_view list = "faults");

}  // namespace yard::sim
