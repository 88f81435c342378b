// Why does a workload wait? Answered by the very code that decides.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/core/core.h"
#include "sched/explain/binding.h"
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
  Outlook outlook = Outlook::kWaits;
  Reason dominant;                   // of now: what would be asked of the scheduler next
  std::vector<Reason> reasons;       // all that bind, the one that says most first (binding.h)
  std::vector<NodeRow> nodes;        // of the pool of the dominant reason
  std::int64_t position = 0;         // 1: next in that pool; 0: not waiting
  std::vector<WorkloadIndex> ahead;  // the first of those before it
  std::vector<NodeIndex> places;     // of work that starts: the node of each task
};

inline constexpr std::size_t kMostAhead = 10;

Explanation Explain(Core& core, WorkloadIndex workload);

}  // namespace yard::sched
