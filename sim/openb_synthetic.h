// Made-up traces of the openb kind, for tests and for trying a policy on work unlike the known
// traces. The same spec and seed give the same trace.
#pragma once

#include <cstdint>

#include "sim/openb.h"

namespace yard::sim {

// Percentages are of tasks; what they leave is tasks of one whole GPU.
struct SyntheticSpec {
  int nodes = 120;
  int fraction_percent = 40;
  int several_percent = 2;  // 2, 4 or 8 whole GPUs
  int cpu_only_percent = 10;
  int constrained_percent = 0;  // of the tasks with GPUs: bound to one of three models
  int cpu_milli_per_gpu = 9000;
};

OpenbTrace MakeSyntheticTrace(const SyntheticSpec& spec, std::uint64_t seed);

}  // namespace yard::sim
