#include "tune/history.h"

namespace yard::tune {

std::optional<std::size_t> BestOf(const History& history) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < history.finished.size(); ++i) {
    const Observation& o = history.finished[i];
    if (o.violation > 0 || o.pruned) continue;
    if (!best || o.loss() < history.finished[*best].loss()) best = i;
  }
  return best;
}

}  // namespace yard::tune
