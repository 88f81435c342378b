#include "sched/place/frag_index.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace yard::sched::frag {
namespace {

constexpr std::int64_t kNoFit = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMaxScores = std::size_t{1} << 24;  // 128 MiB; then all are forgotten
constexpr std::size_t kMaxLog = std::size_t{1} << 22;

}  // namespace

FragIndex::FragIndex(std::vector<NodeShape> nodes, std::shared_ptr<const PlacementRule> rule)
    : nodes_(std::move(nodes)) {
  SetRule(std::move(rule));
}

void FragIndex::SetRule(std::shared_ptr<const PlacementRule> rule) {
  rule_ = std::move(rule);
  Forget();
  worth_.clear();
  for (const NodeShape& node : nodes_) worth_.push_back(rule_->Worth(node));
}

void FragIndex::Forget() {
  cache_.clear();
  log_.clear();
}

std::optional<FragIndex::Choice> FragIndex::Find(const TaskShape& task) {
  if (cache_.size() * nodes_.size() > kMaxScores) Forget();
  Scores& scores = cache_[task];
  Refresh(task, scores);
  const auto best = std::ranges::min_element(scores.losses);
  if (best == scores.losses.end() || *best == kNoFit) return std::nullopt;
  const int node = static_cast<int>(best - scores.losses.begin());
  return Choice{node, *BestSpot(*rule_, nodes_[node], worth_[node], task)};
}

void FragIndex::Refresh(const TaskShape& task, Scores& scores) const {
  const bool anew = scores.losses.empty() || log_.size() - scores.seen > nodes_.size();
  if (anew) {
    scores.losses.resize(nodes_.size());
    for (int node = 0; node < std::ssize(nodes_); ++node) Score(task, scores, node);
  } else {
    for (std::size_t i = scores.seen; i < log_.size(); ++i) Score(task, scores, log_[i]);
  }
  scores.seen = log_.size();
}

void FragIndex::Score(const TaskShape& task, Scores& scores, int node) const {
  const auto spot = BestSpot(*rule_, nodes_[node], worth_[node], task);
  scores.losses[node] = spot ? spot->loss : kNoFit;
}

void FragIndex::Take(int node, const TaskShape& task, std::uint64_t gpus) {
  frag::Take(nodes_[node], task, gpus);
  Changed(node);
}

void FragIndex::GiveBack(int node, const TaskShape& task, std::uint64_t gpus) {
  frag::GiveBack(nodes_[node], task, gpus);
  Changed(node);
}

void FragIndex::Changed(int node) {
  worth_[node] = rule_->Worth(nodes_[node]);
  if (log_.size() >= kMaxLog) Forget();
  log_.push_back(node);
}

}  // namespace yard::sched::frag
