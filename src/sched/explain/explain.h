// Why does a workload wait? Answered by the very code that decides.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/core/core.h"
#include "sched/filter/fit.h"
#include "sched/reason.h"

namespace yard::sched {

enum class Verdict : std::uint8_t {
  kStarts,
  kWaits,
  kPromised,  // others are leaving the place that is held for it
  kHeld,
  kRuns,
  kGone,
};

// What one node lacks for one task of the workload.
struct NodeRow {
  NodeIndex node;
  FitGap gap;
};

struct Explanation {
  Verdict verdict = Verdict::kWaits;
  Reason dominant;
  std::vector<Reason> reasons;       // one per pool of its order
  std::vector<NodeRow> nodes;        // of the pool of the dominant reason
  std::int64_t position = 0;         // 1: next in that pool; 0: not waiting
  std::vector<WorkloadIndex> ahead;  // the first of those before it
};

inline constexpr std::size_t kMostAhead = 10;

Explanation Explain(Core& core, WorkloadIndex workload);

}  // namespace yard::sched
