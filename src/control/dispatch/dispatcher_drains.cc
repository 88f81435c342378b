// How the dispatcher carries out what a drain says about times: work is stopped, nodes come back.
#include <algorithm>

#include "control/dispatch/dispatcher.h"

namespace yard::control {
namespace {

bool RunsOn(const Attempt& attempt, const std::string& node) {
  return std::ranges::find(attempt.places, node, &TaskPlace::node) != attempt.places.end();
}

}  // namespace

void Dispatcher::ReadDrains(const State& state) {
  drains_.clear();
  state.Of<Node>().Each([&](const Node& node) {
    if (node.cluster != cluster_ || !node.drain) return;
    const Drain& drain = *node.drain;
    if (drain.stop_at || drain.until)
      drains_.push_back({node.id, node.name, drain.stop_at, drain.until});
  });
}

// What is off its GPUs or on its way is left: its memory would be lost.
void Dispatcher::AddDrains(Time now, Cycle& cycle) {
  drain_turn_.reset();
  const auto arm = [&](Time at) { drain_turn_ = std::min(drain_turn_.value_or(at), at); };
  for (const TimedDrain& drain : drains_) {
    if (drain.until && *drain.until <= now) {
      cycle.drained.push_back(drain.id);
      continue;
    }
    if (drain.until) arm(*drain.until);
    if (!drain.stop_at) continue;
    if (now < *drain.stop_at) {
      arm(*drain.stop_at);
      continue;
    }
    for (const auto& [id, open] : open_) {
      const Attempt& attempt = *open.attempt;
      if (attempt.stop || attempt.residence != Residence::kOnGpu || !RunsOn(attempt, drain.name))
        continue;
      cycle.stops.push_back(
          {attempt.workload, id, {EndCause::kPreempted, "", std::string(kDrainRule), now}});
    }
  }
}

}  // namespace yard::control
