// Slurm's multifactor priority with classic fair share, as a model: a real Slurm runs in real time
// and would need days for such a trace.
//
// Taken from Slurm's documents: the fair-share factor of an account is 2^(-U/S), where U is its
// part of all usage, fading with PriorityDecayHalfLife and brought up to date every
// PriorityCalcPeriod (5 minutes), and S its part of all shares. Priority is 100,000 x fair share +
// 1,000 x age (of at most 7 days). Jobs start in the order of priority while GPUs are free; nothing
// is preempted. The model counts GPUs of one-GPU jobs, each project is an account with equal
// shares, and users of an account are served in order of age.
#pragma once

#include <optional>
#include <vector>

#include "sim/run.h"

namespace yard::bench {

// When each job starts, by job.
std::vector<Time> RunMultifactor(const sim::RunInput& input, Micros half_life);

}  // namespace yard::bench
