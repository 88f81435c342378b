// Finds the best node for a task among many, remembering scores between calls.
//
// For every shape asked for, the loss on each node is kept; a change of a node is noted in a log,
// and only the nodes changed since the shape was last asked for are scored again. A shape that
// comes often therefore costs a few scorings and one pass over an array.
// Invariants: the answer is the same as scoring every node anew; ties go to the lowest node.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sched/place/frag.h"

namespace yard::sched::frag {

class FragIndex {
 public:
  struct Choice {
    int node = 0;
    Spot spot;
  };

  FragIndex(std::vector<NodeShape> nodes, std::shared_ptr<const PlacementRule> rule);

  std::optional<Choice> Find(const TaskShape& task);
  void Take(int node, const TaskShape& task, std::uint64_t gpus);
  void GiveBack(int node, const TaskShape& task, std::uint64_t gpus);
  // A new rule, for example an Outlook on a mix that has changed. Forgets all scores.
  void SetRule(std::shared_ptr<const PlacementRule> rule);

  std::span<const NodeShape> nodes() const { return nodes_; }
  const PlacementRule& rule() const { return *rule_; }
  std::int64_t WorthOf(int node) const { return worth_[node]; }

 private:
  struct Scores {
    std::size_t seen = 0;              // how much of the log is in `losses`
    std::vector<std::int64_t> losses;  // by node; kNoFit where the task does not fit
  };
  void Score(const TaskShape& task, Scores& scores, int node) const;
  void Refresh(const TaskShape& task, Scores& scores) const;
  void Changed(int node);
  void Forget();

  std::vector<NodeShape> nodes_;
  std::shared_ptr<const PlacementRule> rule_;
  std::vector<std::int64_t> worth_;  // by node
  std::vector<int> log_;             // nodes in order of change
  std::map<TaskShape, Scores> cache_;
};

}  // namespace yard::sched::frag
