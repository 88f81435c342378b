// The openb placement benchmark: tasks arrive on an empty cluster until 130 % of its GPUs have been
// asked for, and what stays unallocated is measured at 100 % and at 130 %.
//
// Protocol (that of the published FGD results): the tasks of the trace in an order shuffled by the
// seed, then clones drawn at random; nothing departs, a task that fits nowhere is dropped; nodes
// have an order that is random but fixed for the run. The measure is 100 - allocated / capacity in
// percent, averaged over the arrivals at which the GPUs asked for so far round to the load.
// What a policy may know: `fgd` the typical shapes of the whole trace (as published); `gpuyard` and
// `gpuyard-move` only the tasks that have arrived.
// Thread rule: one thread per run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "sched/place/frag.h"

namespace yard::sim {

enum class OpenbPolicy { kRandom, kBestFit, kFgd, kGpuyard, kGpuyardMove };

std::optional<OpenbPolicy> ParseOpenbPolicy(std::string_view name);
std::string_view NameOf(OpenbPolicy policy);

struct OpenbTrace {
  std::vector<sched::frag::NodeShape> nodes;
  std::vector<sched::frag::TaskShape> tasks;
};

// What errors call the two lists.
struct OpenbNames {
  std::string_view nodes = "nodes";
  std::string_view pods = "pods";
};

// Reads both lists and checks that cluster and tasks have GPUs at all.
Result<OpenbTrace> ParseOpenbTrace(std::string_view nodes_csv, std::string_view pods_csv,
                                   const OpenbNames& names = {});

struct OpenbResult {
  double unallocated_gpu_pct_at_100 = 0;
  double unallocated_gpu_pct_at_130 = 0;
  std::int64_t moves = 0;
  std::int64_t arrivals = 0;
  std::int64_t dropped = 0;
  double decisions_per_s = 0;  // by the clock given; 0 if it did not advance
};

OpenbResult RunOpenb(const OpenbTrace& trace, OpenbPolicy policy, std::uint64_t seed,
                     const Clock& clock);

// Whole percent of `part` in `whole`, rounded half up: the load that a moment of a run counts for.
std::int64_t RoundedPercent(std::int64_t part, std::int64_t whole);

// The arrivals of a run, in order.
std::vector<sched::frag::TaskShape> OpenbArrivals(const OpenbTrace& trace, std::uint64_t seed);

}  // namespace yard::sim
