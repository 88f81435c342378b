#include "sim/openb.h"

#include <array>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/random.h"
#include "sim/openb_csv.h"
#include "sim/openb_policy.h"

namespace yard::sim {
namespace {

constexpr std::array<std::pair<OpenbPolicy, std::string_view>, 5> kNames = {{
    {OpenbPolicy::kRandom, "random"},
    {OpenbPolicy::kBestFit, "bestfit"},
    {OpenbPolicy::kFgd, "fgd"},
    {OpenbPolicy::kGpuyard, "gpuyard"},
    {OpenbPolicy::kGpuyardMove, "gpuyard-move"},
}};

constexpr int kLoadPercent = 130;

template <class T>
void Shuffle(std::vector<T>& items, SeededRandom& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.Below(i)]);
}

std::int64_t CapacityMilli(const OpenbTrace& trace) {
  std::int64_t sum = 0;
  for (const auto& node : trace.nodes) sum += node.FreeMilli();
  return sum;
}

struct Mean {
  double sum = 0;
  std::int64_t count = 0;
  void Add(double x) {
    sum += x;
    ++count;
  }
  double Value() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

}  // namespace

std::int64_t RoundedPercent(std::int64_t part, std::int64_t whole) {
  return (part * 200 + whole) / (2 * whole);
}

std::optional<OpenbPolicy> ParseOpenbPolicy(std::string_view name) {
  for (const auto& [policy, text] : kNames) {
    if (text == name) return policy;
  }
  return std::nullopt;
}

std::string_view NameOf(OpenbPolicy policy) {
  return kNames[static_cast<std::size_t>(policy)].second;
}

Result<OpenbTrace> ParseOpenbTrace(std::string_view nodes_csv, std::string_view pods_csv,
                                   const OpenbNames& names) {
  YARD_ASSIGN(auto cluster, ParseOpenbNodes(nodes_csv, names.nodes));
  YARD_ASSIGN(auto tasks, ParseOpenbPods(pods_csv, cluster.models, names.pods));
  OpenbTrace trace{std::move(cluster.nodes), std::move(tasks)};
  if (CapacityMilli(trace) == 0) {
    return Fail(Code::kInvalid, fmt::format("{}: no node has a GPU", names.nodes));
  }
  std::int64_t asked = 0;
  for (const auto& task : trace.tasks) asked += task.TotalMilli();
  if (asked == 0) return Fail(Code::kInvalid, fmt::format("{}: no row asks for a GPU", names.pods));
  return trace;
}

std::vector<sched::frag::TaskShape> OpenbArrivals(const OpenbTrace& trace, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<sched::frag::TaskShape> arrivals = trace.tasks;
  Shuffle(arrivals, random);
  std::int64_t asked = 0;
  for (const auto& task : arrivals) asked += task.TotalMilli();
  const std::int64_t enough = CapacityMilli(trace) * kLoadPercent;
  while (asked * 100 < enough) {
    arrivals.push_back(trace.tasks[random.Below(trace.tasks.size())]);
    asked += arrivals.back().TotalMilli();
  }
  return arrivals;
}

OpenbResult RunOpenb(const OpenbTrace& trace, OpenbPolicy policy, std::uint64_t seed,
                     const Clock& clock) {
  const auto arrivals = OpenbArrivals(trace, seed);
  OpenbTrace ordered = trace;
  SeededRandom random(seed ^ 0x6e6f646573ULL);  // a stream of its own for the order of nodes
  Shuffle(ordered.nodes, random);
  const std::int64_t capacity = CapacityMilli(trace);
  std::int64_t asked = 0;
  std::int64_t allocated = 0;
  Mean at_100;
  Mean at_130;
  OpenbResult result;
  result.arrivals = std::ssize(arrivals);
  const Time start = clock.Now();
  const std::unique_ptr<Placer> placer = MakePlacer(policy, ordered, seed);
  for (const auto& task : arrivals) {
    asked += task.TotalMilli();
    if (placer->Place(task)) {
      allocated += task.TotalMilli();
    } else {
      ++result.dropped;
    }
    const double free =
        100.0 - 100.0 * static_cast<double>(allocated) / static_cast<double>(capacity);
    const std::int64_t load = RoundedPercent(asked, capacity);
    if (load == 100) at_100.Add(free);
    if (load == kLoadPercent) at_130.Add(free);
  }
  const Micros spent = clock.Now() - start;
  result.moves = placer->moves();
  result.unallocated_gpu_pct_at_100 = at_100.Value();
  result.unallocated_gpu_pct_at_130 = at_130.Value();
  if (spent.value > 0) {
    result.decisions_per_s =
        static_cast<double>(result.arrivals) * 1e6 / static_cast<double>(spent.value);
  }
  return result;
}

}  // namespace yard::sim
