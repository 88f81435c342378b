// The result of an openb run as text, for scripts and for people.
#pragma once

#include <cstdint>
#include <string>

#include "sim/openb.h"

namespace yard::sim {

struct OpenbRun {
  OpenbPolicy policy = OpenbPolicy::kGpuyard;
  std::uint64_t seed = 0;
  OpenbResult result;
  double bound_pct_at_100 = 0;  // LeastUnallocatedPctAt100
};

// One object on one line; field names are fixed.
std::string FormatJson(const OpenbRun& run);
// A heading and one row.
std::string FormatTable(const OpenbRun& run);

}  // namespace yard::sim
