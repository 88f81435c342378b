#include "sim/openb_policy.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "sched/place/frag_fgd.h"
#include "sched/place/frag_index.h"
#include "sched/place/frag_learner.h"
#include "sched/place/frag_move.h"
#include "sched/place/frag_outlook.h"

namespace yard::sim {
namespace {

using sched::frag::FragIndex;
using sched::frag::NodeShape;
using sched::frag::TaskShape;

std::uint64_t RoomyGpus(const NodeShape& node, const TaskShape& task) {
  std::uint64_t gpus = 0;
  for (int i = 0; i < node.gpu_count; ++i) {
    if (node.gpu_milli[i] >= task.gpu_milli) gpus |= std::uint64_t{1} << i;
  }
  return gpus;
}

class RandomPlacer final : public Placer {
 public:
  RandomPlacer(std::vector<NodeShape> nodes, std::uint64_t seed)
      : nodes_(std::move(nodes)), random_(seed ^ 0x706c616365ULL) {}

  bool Place(const TaskShape& task) override {
    fitting_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (Fits(nodes_[i], task)) fitting_.push_back(i);
    }
    if (fitting_.empty()) return false;
    NodeShape& node = nodes_[fitting_[random_.Below(fitting_.size())]];
    Take(node, task, Choose(RoomyGpus(node, task), task.gpu_count));
    return true;
  }

 private:
  std::uint64_t Choose(std::uint64_t roomy, int count) {
    std::uint64_t chosen = 0;
    while (std::popcount(chosen) < count) {
      auto skip = random_.Below(static_cast<std::uint64_t>(std::popcount(roomy)));
      std::uint64_t rest = roomy;
      for (; skip > 0; --skip) rest &= rest - 1;
      chosen |= rest & -rest;
      roomy &= ~chosen;
    }
    return chosen;
  }

  std::vector<NodeShape> nodes_;
  SeededRandom random_;
  std::vector<std::size_t> fitting_;
};

// The node with the least left of CPU and GPU, each against the largest node; the fullest GPU.
// Scores are whole percent, as published.
class BestFitRule final : public sched::frag::PlacementRule {
 public:
  explicit BestFitRule(const std::vector<NodeShape>& nodes) {
    for (const NodeShape& node : nodes) {
      most_cpu_ = std::max(most_cpu_, node.cpu_milli);
      most_gpu_ = std::max(most_gpu_, node.FreeMilli());
    }
  }
  std::int64_t Worth(const NodeShape& /*node*/) const override { return 0; }
  std::int64_t Loss(const NodeShape& node, std::int64_t /*worth*/, const TaskShape& task,
                    std::uint64_t /*gpus*/) const override {
    const std::int64_t cpu = node.cpu_milli - task.cpu_milli;
    const std::int64_t gpu = node.FreeMilli() - task.TotalMilli();
    const std::int64_t whole = 2 * most_cpu_ * most_gpu_;
    const std::int64_t left = cpu * most_gpu_ + gpu * most_cpu_;
    return -((whole - left) * 100 / whole);
  }

 private:
  std::int64_t most_cpu_ = 1;
  std::int64_t most_gpu_ = 1;
};

// Places by the index; the rule stays as it is.
class RulePlacer final : public Placer {
 public:
  RulePlacer(const std::vector<NodeShape>& nodes,
             std::shared_ptr<const sched::frag::PlacementRule> rule)
      : index_(nodes, std::move(rule)) {}

  bool Place(const TaskShape& task) override {
    const auto choice = index_.Find(task);
    if (!choice) return false;
    index_.Take(choice->node, task, choice->spot.gpus);
    return true;
  }

 private:
  FragIndex index_;
};

// Places by an Outlook on what has arrived so far.
class YardPlacer final : public Placer {
 public:
  explicit YardPlacer(const std::vector<NodeShape>& nodes)
      : index_(nodes, std::make_shared<sched::frag::Outlook>(sched::frag::ShapeMix{})) {}

  bool Place(const TaskShape& task) override {
    if (learner_.Observe(task)) {
      index_.SetRule(
          std::make_shared<sched::frag::Outlook>(learner_.Mix(), SupplyOf(index_.nodes())));
    }
    const auto choice = index_.Find(task);
    if (!choice) return false;
    index_.Take(choice->node, task, choice->spot.gpus);
    return true;
  }

 private:
  FragIndex index_;
  sched::frag::MixLearner learner_;
};

// As YardPlacer, and makes room by moves: never more than one for every 20 arrivals so far.
class MovingPlacer final : public Placer {
 public:
  explicit MovingPlacer(const std::vector<NodeShape>& nodes)
      : index_(nodes, std::make_shared<sched::frag::Outlook>(sched::frag::ShapeMix{})),
        mover_(index_) {}

  bool Place(const TaskShape& task) override {
    ++arrivals_;
    if (learner_.Observe(task)) {
      index_.SetRule(
          std::make_shared<sched::frag::Outlook>(learner_.Mix(), SupplyOf(index_.nodes())));
    }
    if (const auto choice = index_.Find(task)) {
      mover_.Add(task, choice->node, choice->spot.gpus);
      return true;
    }
    if (task.gpu_count == 0) return false;  // moves are spent on GPUs only
    const std::int64_t left = arrivals_ / kArrivalsPerMove - moves_;
    const std::int64_t brings =
        sched::frag::kWorthPerGpu / sched::frag::kWholeGpuMilli * task.TotalMilli();
    const auto plan = mover_.MakeRoom(
        task, {static_cast<int>(std::min<std::int64_t>(left, sched::frag::kMaxMoves)),
               brings / 10 * kMostLossTenths});
    if (!plan) return false;
    moves_ += std::ssize(plan->moved);
    return true;
  }
  std::int64_t moves() const override { return moves_; }

 private:
  static constexpr std::int64_t kArrivalsPerMove = 20;
  static constexpr std::int64_t kMostLossTenths = 11;  // room may cost 1.1 x what the task brings

  FragIndex index_;
  sched::frag::FragMover mover_;
  sched::frag::MixLearner learner_;
  std::int64_t arrivals_ = 0;
  std::int64_t moves_ = 0;
};

sched::frag::ShapeMix PublishedTypicalShapes(const OpenbTrace& trace) {
  sched::frag::ShapeMix all;
  for (TaskShape task : trace.tasks) {
    task.memory_mib = 0;  // the published shapes leave memory out
    all.push_back({task, 1});
  }
  return sched::frag::TypicalShapes(all, 95);
}

}  // namespace

std::unique_ptr<Placer> MakePlacer(OpenbPolicy policy, const OpenbTrace& trace,
                                   std::uint64_t seed) {
  switch (policy) {
    case OpenbPolicy::kRandom:
      return std::make_unique<RandomPlacer>(trace.nodes, seed);
    case OpenbPolicy::kBestFit:
      return std::make_unique<RulePlacer>(trace.nodes, std::make_shared<BestFitRule>(trace.nodes));
    case OpenbPolicy::kFgd:
      return std::make_unique<RulePlacer>(
          trace.nodes, std::make_shared<sched::frag::FgdRule>(PublishedTypicalShapes(trace)));
    case OpenbPolicy::kGpuyard:
      return std::make_unique<YardPlacer>(trace.nodes);
    case OpenbPolicy::kGpuyardMove:
      return std::make_unique<MovingPlacer>(trace.nodes);
  }
  YARD_CHECK(false);
}

}  // namespace yard::sim
