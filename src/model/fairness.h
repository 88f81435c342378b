// Who comes first where several want the same GPUs: chosen for the cluster, and for a department
// if it wants another.
#pragma once

#include <cstdint>

namespace yard {

enum class Fairness : std::uint8_t {
  kFairShare,     // quotas, over-quota weights, fair-share rounds
  kNthGpu,        // anyone's first GPU before anyone's second, then user priority, then age
  kDecayedShare,  // fair share whose over-quota weights fall with past usage
  kFifo,          // oldest first
};

}  // namespace yard
