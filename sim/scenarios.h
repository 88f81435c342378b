// Made-up days of a lab, for tests and benchmarks: the same every time.
#pragma once

#include <cstdint>

#include "sim/run.h"

namespace yard::sim {

// 32 GPUs, two projects with half of them each. One person of the first project floods it with 300
// jobs; ten others, five in each project, send 20 jobs each over eight hours.
RunInput OneHog();

// 32 GPUs, two projects without quotas. The first has the cluster for itself for a day and keeps a
// backlog; then the second arrives with as much work. Nothing is preempted.
RunInput ADayOfSoleUse();

// 32 GPUs for a stream of 800 small jobs, and 50 jobs that need one or two whole nodes among them.
// Everybody gives a time limit, up to twice as long as needed. The large ones are named "large-1",
// ... One project has it all, or two have a quota of half of it each.
enum class Projects : std::uint8_t { kOne, kTwo };
RunInput LargeJobsInAStream(std::uint64_t seed, Projects projects = Projects::kOne);

}  // namespace yard::sim
