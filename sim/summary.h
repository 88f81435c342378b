// The figures of a run: what people compare policies by.
//
// Waiting is from submission to the first start, completion from submission to the end, both over
// jobs that have ended. Allocation is the part of the GPU time in service that was held by jobs;
// utilisation leaves out what was held in vain, by attempts that were cut short. Fairness is
// Jain's index (1 is equal, 1/n is worst) over the mean speed of each user's or project's jobs,
// where the speed of a job is its duration divided by its completion time; 0 if it never ended.
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/run.h"

namespace yard::sim {

struct Spread {
  double mean = 0;
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
};

// Percentiles by nearest rank; all 0 for no values.
Spread SpreadOf(std::vector<double> values);
// 1 for no values and where all are 0.
double JainIndex(std::span<const double> values);

// The jobs of one user or project.
struct Account {
  std::string name;
  std::int64_t jobs = 0;
  std::int64_t ended = 0;
  double gpu_hours = 0;  // useful ones
  Spread wait_s;
  std::int64_t preemptions = 0;
  double speed = 0;  // mean, 0..1
};

struct Waiting {
  std::string job;
  std::string why;
};

struct Summary {
  std::string policy;
  std::int64_t jobs = 0;
  std::int64_t ended = 0;
  double makespan_s = 0;
  double gpus_at_work = 0;  // usefully, on average over the first nine tenths of the run
  double utilisation_pct = 0;
  double allocation_pct = 0;
  double fragmentation_pct = 0;  // mean over the samples
  Spread wait_s;
  Spread completion_s;
  double fairness_users = 1;
  double fairness_projects = 1;
  std::int64_t preemptions = 0;
  std::int64_t interruptions = 0;
  std::int64_t moves = 0;
  std::int64_t decisions = 0;
  double lost_gpu_hours = 0;
  std::vector<Account> users;     // by name
  std::vector<Account> projects;  // by name
  std::vector<Waiting> waiting;   // never started, with a reason where one was given
  std::vector<Sample> samples;
};

Summary Summarise(std::string policy, const RunInput& input, const RunResult& result);

}  // namespace yard::sim
