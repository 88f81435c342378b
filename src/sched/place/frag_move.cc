#include "sched/place/frag_move.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace yard::sched::frag {
namespace {

constexpr int kMaxTrials = 48;

bool Holds(const std::vector<int>& ids, int id) {
  return std::ranges::find(ids, id) != ids.end();
}

// Who must leave one GPU so that `milli` is free there: the smallest one that suffices, else all
// from the largest down.
void LeaveOneGpu(std::vector<std::pair<std::int16_t, int>> users, std::int64_t missing,
                 std::vector<int>& leaving) {
  std::ranges::sort(users);
  while (missing > 0 && !users.empty()) {
    auto enough = std::ranges::find_if(users, [&](const auto& u) { return u.first >= missing; });
    if (enough == users.end()) --enough;
    missing -= enough->first;
    leaving.push_back(enough->second);
    users.erase(enough);
  }
}

}  // namespace

FragMover::FragMover(FragIndex& index) : index_(index), on_node_(index.nodes().size()) {}

int FragMover::Add(const TaskShape& task, int node, std::uint64_t gpus) {
  const int id = static_cast<int>(tasks_.size());
  tasks_.push_back({task, node, gpus});
  Attach(id, node, gpus);
  return id;
}

void FragMover::Remove(int task) {
  Detach(task);
  hopeless_.clear();
}

void FragMover::Attach(int id, int node, std::uint64_t gpus) {
  PlacedTask& placed = tasks_[id];
  placed.node = node;
  placed.gpus = gpus;
  lost_ += index_.WorthOf(node);
  index_.Take(node, placed.shape, gpus);
  lost_ -= index_.WorthOf(node);
  on_node_[node].push_back(id);
}

void FragMover::Detach(int id) {
  const PlacedTask& placed = tasks_[id];
  lost_ += index_.WorthOf(placed.node);
  index_.GiveBack(placed.node, placed.shape, placed.gpus);
  lost_ -= index_.WorthOf(placed.node);
  std::erase(on_node_[placed.node], id);
}

bool FragMover::LeaveGpus(Offer& offer, NodeShape& after, const TaskShape& task,
                          int max_moves) const {
  // The fewest leavers first, then the least to move.
  std::vector<std::pair<std::pair<std::size_t, std::int64_t>, std::vector<int>>> choices;
  for (int gpu = 0; gpu < after.gpu_count; ++gpu) {
    std::vector<std::pair<std::int16_t, int>> users;
    for (int id : on_node_[offer.node]) {
      if (((tasks_[id].gpus >> gpu) & 1U) != 0) users.push_back({tasks_[id].shape.gpu_milli, id});
    }
    std::vector<int> leaving;
    LeaveOneGpu(std::move(users), task.gpu_milli - after.gpu_milli[gpu], leaving);
    std::int64_t milli = 0;
    for (int id : leaving) milli += tasks_[id].shape.TotalMilli();
    choices.push_back({{leaving.size(), milli}, std::move(leaving)});
  }
  if (std::ssize(choices) < task.gpu_count) return false;
  std::ranges::sort(choices);
  for (int i = 0; i < task.gpu_count; ++i) {
    for (int id : choices[i].second) {
      if (Holds(offer.leaving, id)) continue;
      offer.leaving.push_back(id);
      GiveBack(after, tasks_[id].shape, tasks_[id].gpus);
    }
    if (std::ssize(offer.leaving) > max_moves) return false;
  }
  return true;
}

bool FragMover::LeaveCpu(Offer& offer, NodeShape& after, const TaskShape& task,
                         int max_moves) const {
  while (after.cpu_milli < task.cpu_milli || after.memory_mib < task.memory_mib) {
    if (std::ssize(offer.leaving) == max_moves) return false;
    const std::int64_t missing = task.cpu_milli - after.cpu_milli;
    int best = -1;
    for (int id : on_node_[offer.node]) {
      if (Holds(offer.leaving, id)) continue;
      // Without GPUs first; then the smallest that suffices, else the largest.
      const auto rank = [&](int i) {
        const TaskShape& shape = tasks_[i].shape;
        const bool enough = shape.cpu_milli >= missing;
        return std::tuple(!enough, shape.TotalMilli(), enough ? shape.cpu_milli : -shape.cpu_milli);
      };
      if (best < 0 || rank(id) < rank(best)) best = id;
    }
    if (best < 0) return false;
    offer.leaving.push_back(best);
    GiveBack(after, tasks_[best].shape, tasks_[best].gpus);
  }
  return true;
}

std::optional<FragMover::Offer> FragMover::OfferOf(int node, const TaskShape& task,
                                                   int max_moves) const {
  NodeShape after = index_.nodes()[node];
  if (task.gpu_count > 0 && (!task.Allows(after.model) || after.gpu_count < task.gpu_count)) {
    return std::nullopt;
  }
  Offer offer{node, {}, 0};
  if (task.gpu_count > 0 && !LeaveGpus(offer, after, task, max_moves)) return std::nullopt;
  if (!LeaveCpu(offer, after, task, max_moves)) return std::nullopt;
  if (!Fits(after, task)) return std::nullopt;
  for (int id : offer.leaving) {
    offer.weight += tasks_[id].shape.TotalMilli() + tasks_[id].shape.cpu_milli / 20;
  }
  return offer;
}

std::optional<FragMover::Plan> FragMover::MakeRoom(const TaskShape& task, const Limits& limits) {
  if (limits.moves <= 0 || hopeless_.contains(task)) return std::nullopt;
  std::vector<Offer> offers;
  for (int node = 0; node < std::ssize(on_node_); ++node) {
    if (auto offer = OfferOf(node, task, std::min(limits.moves, kMaxMoves))) {
      offers.push_back(*std::move(offer));
    }
  }
  auto plan = BestOf(std::move(offers), task, limits.loss);
  if (!plan && limits.moves >= kMaxMoves) hopeless_.insert(task);
  return plan;
}

std::optional<FragMover::Plan> FragMover::BestOf(std::vector<Offer> offers, const TaskShape& task,
                                                 std::int64_t max_loss) {
  std::ranges::sort(offers, {}, [](const Offer& offer) {
    return std::tuple(offer.leaving.size(), offer.weight, offer.node);
  });
  int trials = 0;
  for (const Offer& offer : offers) {
    // Whoever has no other place now will hardly find one once the new task is in.
    const bool stuck = std::ranges::any_of(
        offer.leaving, [&](int id) { return !index_.Find(tasks_[id].shape).has_value(); });
    if (stuck) continue;
    if (auto plan = Try(offer, task, max_loss)) return plan;
    if (++trials == kMaxTrials) break;
  }
  return std::nullopt;
}

std::optional<FragMover::Plan> FragMover::Try(const Offer& offer, const TaskShape& task,
                                              std::int64_t max_loss) {
  lost_ = 0;
  std::vector<PlacedTask> before;
  for (int id : offer.leaving) {
    before.push_back(tasks_[id]);
    Detach(id);
  }
  Plan plan;
  const auto spot = BestSpot(index_.rule(), index_.nodes()[offer.node], task);
  plan.placed = Add(task, offer.node, spot->gpus);
  for (int id : offer.leaving) {
    const auto choice = index_.Find(tasks_[id].shape);
    if (!choice) break;
    Attach(id, choice->node, choice->spot.gpus);
    plan.moved.push_back(id);
  }
  if (plan.moved.size() == offer.leaving.size() && lost_ <= max_loss) return plan;
  Undo(plan, offer, before);
  return std::nullopt;
}

void FragMover::Undo(const Plan& plan, const Offer& offer, const std::vector<PlacedTask>& before) {
  for (int id : plan.moved) Detach(id);
  Detach(plan.placed);
  tasks_.pop_back();
  for (std::size_t i = 0; i < before.size(); ++i) {
    Attach(offer.leaving[i], before[i].node, before[i].gpus);
  }
}

}  // namespace yard::sched::frag
