#include "sim/openb_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace yard::sim {
namespace {

using sched::frag::NodeShape;
using sched::frag::TaskShape;

constexpr double kWhole = sched::frag::kWholeGpuMilli;
constexpr std::size_t kMostThresholds = 6;
constexpr int kSteps = 600;
constexpr double kFirstStep = 0.05;

// Nodes of one model and number of GPUs, taken together.
struct Kind {
  NodeShape node;  // the largest in every respect
  double gpu = 0;  // milli-GPU of all of them
  double cpu = 0;
  double memory = 0;
};

struct Demand {
  TaskShape task;
  double count = 0;
};

// A dual feasible function: tasks that fit on one GPU together sum up to at most one. With a
// threshold t above one half, tasks of at least t take the GPU whole, those that fit beside them
// count nothing, the others what they are.
double Weighted(std::int64_t milli, std::int64_t threshold) {
  if (milli >= threshold) return kWhole;
  return milli <= sched::frag::kWholeGpuMilli - threshold ? 0 : static_cast<double>(milli);
}

std::vector<Kind> KindsOf(std::span<const NodeShape> nodes) {
  std::map<std::pair<int, int>, Kind> kinds;
  for (const NodeShape& node : nodes) {
    if (node.gpu_count == 0) continue;
    Kind& kind = kinds[{node.model, node.gpu_count}];
    const NodeShape largest = kind.node;
    kind.node = node;
    kind.node.cpu_milli = std::max(node.cpu_milli, largest.cpu_milli);
    kind.node.memory_mib = std::max(node.memory_mib, largest.memory_mib);
    kind.gpu += static_cast<double>(node.FreeMilli());
    kind.cpu += static_cast<double>(node.cpu_milli);
    kind.memory += static_cast<double>(node.memory_mib);
  }
  std::vector<Kind> all;
  for (const auto& [key, kind] : kinds) all.push_back(kind);
  return all;
}

std::vector<Demand> DemandOf(std::span<const TaskShape> tasks) {
  std::map<TaskShape, double> counts;
  for (const TaskShape& task : tasks) {
    if (task.gpu_count > 0) counts[task] += 1;
  }
  std::vector<Demand> all;
  for (const auto& [task, count] : counts) all.push_back({task, count});
  return all;
}

// The sizes above half a GPU that most GPUs are asked for in.
std::vector<std::int64_t> ThresholdsOf(const std::vector<Demand>& demand) {
  std::map<std::int64_t, double> mass;
  for (const Demand& one : demand) {
    const std::int64_t milli = one.task.gpu_milli;
    if (milli > sched::frag::kWholeGpuMilli / 2 && milli < sched::frag::kWholeGpuMilli) {
      mass[milli] += one.count * static_cast<double>(one.task.TotalMilli());
    }
  }
  std::vector<std::pair<double, std::int64_t>> order;
  for (const auto& [milli, sum] : mass) order.emplace_back(-sum, milli);
  std::ranges::sort(order);
  std::vector<std::int64_t> thresholds;
  for (const auto& [sum, milli] : order) {
    if (thresholds.size() < kMostThresholds) thresholds.push_back(milli);
  }
  return thresholds;
}

// The relaxed problem and its dual function.
class Relaxed {
 public:
  Relaxed(std::span<const NodeShape> nodes, std::span<const TaskShape> tasks)
      : kinds_(KindsOf(nodes)), demand_(DemandOf(tasks)), thresholds_(ThresholdsOf(demand_)) {
    rows_ = 3 + thresholds_.size();
    worths_.resize(kinds_.size());
  }

  double Best() {
    std::vector<double> prices = Start();
    std::vector<double> slope(prices.size());
    double best = std::numeric_limits<double>::infinity();
    for (int step = 1; step <= kSteps; ++step) {
      const double length = kFirstStep / std::sqrt(static_cast<double>(step));
      best = std::min(best, Dual(prices, length, slope));
      for (std::size_t p = 0; p < prices.size(); ++p) {
        const double whole = kinds_[p / rows_].gpu;
        prices[p] = std::max(0.0, prices[p] - length * std::clamp(slope[p] / whole, -1.0, 1.0));
      }
    }
    return best;
  }

 private:
  // The best of simple prices, the same on all kinds: one for GPUs and one for what a threshold
  // makes of them. The price 1 for GPUs alone is the trivial bound.
  std::vector<double> Start() {
    std::vector<double> slope(kinds_.size() * rows_);
    std::vector<double> best_prices;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t row = 1; row < rows_; ++row) {
      for (int pair = 0; pair < 121; ++pair) {
        std::vector<double> prices(slope.size(), 0);
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
          prices[k * rows_] = pair % 11 / 10.0;
          prices[k * rows_ + row] = (pair - pair % 11) / 110.0;
        }
        const double bound = Dual(prices, kFirstStep, slope);
        if (bound < best) std::tie(best, best_prices) = std::tuple(bound, prices);
      }
    }
    return best_prices;
  }

  // What one task takes of a sum of a kind, in milli-GPU of the kind.
  double Takes(const TaskShape& task, const Kind& kind, std::size_t row) const {
    if (row == 0) return static_cast<double>(task.TotalMilli());
    if (row == 1) return Share(static_cast<double>(task.cpu_milli), kind.cpu, kind.gpu);
    if (row == 2) return Share(static_cast<double>(task.memory_mib), kind.memory, kind.gpu);
    return task.gpu_count * Weighted(task.gpu_milli, thresholds_[row - 3]);
  }
  static double Share(double wanted, double all, double gpu) {
    return wanted == 0 ? 0 : wanted / std::max(all, 1.0) * gpu;
  }

  static bool Suits(const TaskShape& task, const NodeShape& node) {
    return task.gpu_count <= node.gpu_count && task.Allows(node.model) &&
           task.cpu_milli <= node.cpu_milli && task.memory_mib <= node.memory_mib;
  }

  // What a task is worth on each kind at these prices; the worths of kinds it does not suit are
  // negative.
  void Worths(const TaskShape& task, const std::vector<double>& prices) {
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      worths_[k] = -1;
      if (!Suits(task, kinds_[k].node)) continue;
      worths_[k] = static_cast<double>(task.TotalMilli());
      for (std::size_t r = 0; r < rows_; ++r) {
        worths_[k] -= prices[k * rows_ + r] * Takes(task, kinds_[k], r);
      }
    }
  }

  // The dual function, exact. The slope is that of a smoothed one, in which tasks choose between
  // kinds of nearly the same worth: it leads past ties, and no direction makes the bound wrong.
  double Dual(const std::vector<double>& prices, double softness, std::vector<double>& slope) {
    double sum = 0;
    for (std::size_t p = 0; p < prices.size(); ++p) {
      slope[p] = kinds_[p / rows_].gpu;
      sum += prices[p] * slope[p];
    }
    for (const Demand& one : demand_) {
      Worths(one.task, prices);
      const double gain = std::max(0.0, *std::ranges::max_element(worths_));
      sum += one.count * gain;
      const double scale = softness * static_cast<double>(one.task.TotalMilli());
      double all = std::exp(-gain / scale);  // of staying out
      for (double& worth : worths_) {
        worth = worth < 0 ? 0 : std::exp((worth - gain) / scale);
        all += worth;
      }
      for (std::size_t p = 0; p < prices.size(); ++p) {
        const double part = worths_[p / rows_] / all;
        if (part > 0) slope[p] -= one.count * part * Takes(one.task, kinds_[p / rows_], p % rows_);
      }
    }
    return sum;
  }

  std::vector<Kind> kinds_;
  std::vector<Demand> demand_;
  std::vector<std::int64_t> thresholds_;
  std::vector<double> worths_;  // of the task looked at, by kind
  std::size_t rows_ = 0;        // per kind: GPU, CPU, memory, one for each threshold
};

std::int64_t CapacityMilli(const OpenbTrace& trace) {
  std::int64_t sum = 0;
  for (const NodeShape& node : trace.nodes) sum += node.FreeMilli();
  return sum;
}

}  // namespace

std::int64_t MostAllocatableMilli(std::span<const NodeShape> nodes,
                                  std::span<const TaskShape> tasks) {
  return static_cast<std::int64_t>(std::ceil(Relaxed(nodes, tasks).Best()));
}

double LeastUnallocatedPctAt100(const OpenbTrace& trace, std::uint64_t seed) {
  const auto arrivals = OpenbArrivals(trace, seed);
  const std::int64_t capacity = CapacityMilli(trace);
  std::vector<std::int64_t> asked_in_window;
  std::size_t seen = 0;  // arrivals up to the end of the window
  std::int64_t asked = 0;
  for (std::size_t a = 0; a < arrivals.size(); ++a) {
    asked += arrivals[a].TotalMilli();
    if (RoundedPercent(asked, capacity) != 100) continue;
    asked_in_window.push_back(asked);
    seen = a + 1;
  }
  if (asked_in_window.empty()) return 0;
  // What all arrivals of the window allow bounds every moment of it from above.
  const std::int64_t most = MostAllocatableMilli(trace.nodes, std::span(arrivals).first(seen));
  double sum = 0;
  for (const std::int64_t so_far : asked_in_window) {
    const std::int64_t allocated = std::min({most, so_far, capacity});
    sum += 100.0 - 100.0 * static_cast<double>(allocated) / static_cast<double>(capacity);
  }
  return sum / static_cast<double>(asked_in_window.size());
}

}  // namespace yard::sim
