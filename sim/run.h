// Runs a list of jobs through the production scheduler in virtual time.
//
// Events: a node fails or returns, a job ends, a job arrives, a guard runs out. After the events
// of one moment the scheduler decides and its plan is carried out, until it wants no more. An
// evicted job, or one whose node fails, waits again and starts from its beginning: the work is
// lost. A job that is moved goes on. The scheduler knows time limits, and under backfill the run
// times of jobs without one.
//
// Invariants: jobs never disappear (each waits, runs or has ended); every attempt has one end; the
// same input gives the same result. Thread rule: one thread per run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "sched/plan.h"
#include "sched/policy.h"
#include "sched/scheduler.h"
#include "sched/snapshot.h"
#include "sim/cluster_json.h"
#include "sim/jobs_csv.h"

namespace yard::sim {

struct JobOutcome {
  std::optional<Time> first_start;
  std::optional<Time> end;
  std::int32_t attempts = 0;
  std::int32_t preemptions = 0;
  std::int32_t interruptions = 0;  // by a failing node
  Micros lost{0};                  // run and thrown away
  std::string why_waiting;         // where it never started: the scheduler's sentence
};

// The cluster at one moment.
struct Sample {
  Time at;
  std::int64_t capacity_milli = 0;  // of nodes in service
  std::int64_t allocated_milli = 0;
  std::int64_t waiting_jobs = 0;
  std::int64_t running_jobs = 0;
  double fragmented_pct = 0;  // of the free GPU: what a job of the list cannot use, on average
};

struct RunResult {
  std::vector<JobOutcome> outcomes;  // by job
  std::vector<Sample> samples;       // evenly in time
  Time end;
  double capacity_gpu_s = 0;  // in service, over the whole run
  double allocated_gpu_s = 0;
  std::int64_t decisions = 0;
  std::int64_t preemptions = 0;
  std::int64_t interruptions = 0;
  std::int64_t moves = 0;
};

// What happened in one decision, for those who check it.
struct Step {
  const sched::Snapshot& before;
  const sched::Plan& plan;
  const sched::Snapshot& after;
  const sched::Policy& policy;
  std::int64_t arrived = 0;  // jobs so far
  std::int64_t ended = 0;
};
using Watcher = std::function<Status(const Step&)>;

struct RunInput {
  ClusterFile cluster;
  std::vector<Job> jobs;
  std::vector<Fault> faults = {};
  std::string jobs_list = "jobs";  // what errors call the lists
  std::string faults_list = "faults";
  int samples = 400;  // at most, over the run
};

// Fails if a job names an unknown project, a fault an unknown node, or the watcher objects.
Result<RunResult> Run(const RunInput& input, const Watcher& watcher = {});

}  // namespace yard::sim
