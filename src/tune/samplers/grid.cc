#include "tune/samplers/grid.h"

#include <set>
#include <span>

namespace yard::tune {
namespace {

constexpr std::size_t kCuts = 10;
constexpr std::size_t kMaxCells = 1000000;

}  // namespace

void GridSampler::Fill(std::uint64_t seed) {
  std::span<const Axis> axes = space_.axes();
  std::size_t count = 1;
  for (const Axis& axis : axes) {
    count *= axis.levels == 0 ? kCuts : axis.levels;
    if (count > kMaxCells) return;
  }
  for (std::size_t cell = 0; cell < count; ++cell) {
    Point point(axes.size());
    std::size_t rest = cell;
    bool first = true;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      std::size_t levels = axes[a].levels == 0 ? kCuts : axes[a].levels;
      std::size_t level = rest % levels;
      rest /= levels;
      point[a] = axes[a].levels == 0 ? static_cast<double>(level) / (kCuts - 1.0)
                                     : space_.LevelAt(a, level);
    }
    // Absent parameters would list the same configuration several times.
    Configuration configuration = space_.Decode(point);
    rest = cell;
    for (const Axis& axis : axes) {
      std::size_t levels = axis.levels == 0 ? kCuts : axis.levels;
      if (!configuration.At(axis.parameter) && rest % levels != 0) first = false;
      rest /= levels;
    }
    if (first && space_.Satisfies(configuration)) cells_.push_back(std::move(point));
  }
  Rng rng(seed, 0x67726964);
  rng.Shuffle(std::span<Point>(cells_));
}

Proposal GridSampler::Suggest(const History& history, Rng& rng) {
  if (cells_.empty()) Fill(history.seed);
  if (cells_.empty()) return {space_.RandomPoint(rng), Origin::kRandom};
  return {cells_[history.asked % cells_.size()], Origin::kGrid};
}

}  // namespace yard::tune
