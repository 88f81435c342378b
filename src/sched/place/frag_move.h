// Making room by moving tasks: a few placed tasks change places so that a waiting one fits.
//
// Nothing is stopped for good: a plan exists only if every moved task has a new place, and the
// cluster is left untouched otherwise. Moves are few (at most kMaxMoves a plan) and counted by the
// caller, who owns the budget.
// Thread rule: one thread, the one of the FragIndex.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "sched/place/frag.h"
#include "sched/place/frag_index.h"

namespace yard::sched::frag {

inline constexpr int kMaxMoves = 4;

struct PlacedTask {
  TaskShape shape;
  int node = 0;
  std::uint64_t gpus = 0;
};

class FragMover {
 public:
  // The index is borrowed; every change of its nodes must come through here from now on.
  explicit FragMover(FragIndex& index);

  int Add(const TaskShape& task, int node, std::uint64_t gpus);
  void Remove(int task);

  struct Limits {
    int moves = kMaxMoves;
    std::int64_t loss = 0;  // most that room may cost, in the unit of Spot::loss
  };
  struct Plan {
    std::vector<int> moved;  // tasks, in the order to move them
    int placed = 0;          // the new task
  };
  // Places a task that fits nowhere by moving others; the fewest moves found, then the least to
  // move. Gives up early on a shape it has failed for since the last Remove.
  std::optional<Plan> MakeRoom(const TaskShape& task, const Limits& limits);

  const PlacedTask& task(int id) const { return tasks_[id]; }

 private:
  struct Offer {  // a node, and who would have to leave it
    int node = 0;
    std::vector<int> leaving;
    std::int64_t weight = 0;  // how hard it is to place them elsewhere
  };
  std::optional<Offer> OfferOf(int node, const TaskShape& task, int max_moves) const;
  bool LeaveGpus(Offer& offer, NodeShape& after, const TaskShape& task, int max_moves) const;
  bool LeaveCpu(Offer& offer, NodeShape& after, const TaskShape& task, int max_moves) const;
  std::optional<Plan> BestOf(std::vector<Offer> offers, const TaskShape& task,
                             std::int64_t max_loss);
  std::optional<Plan> Try(const Offer& offer, const TaskShape& task, std::int64_t max_loss);
  void Undo(const Plan& plan, const Offer& offer, const std::vector<PlacedTask>& before);
  void Detach(int id);
  void Attach(int id, int node, std::uint64_t gpus);

  FragIndex& index_;
  std::vector<PlacedTask> tasks_;
  std::vector<std::vector<int>> on_node_;
  std::int64_t lost_ = 0;         // worth lost since the trial began
  std::set<TaskShape> hopeless_;  // no plan was found; room only shrinks until a task goes
};

}  // namespace yard::sched::frag
