#include "sched/place/gpus.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sched/core/node_table.h"

namespace yard::sched {
namespace {

using Mask = std::uint64_t;

Mask LowestBits(Mask from, std::int32_t count) {
  Mask taken = 0;
  for (; count > 0; --count) {
    const Mask bit = from & (~from + 1);
    taken |= bit;
    from ^= bit;
  }
  return taken;
}

// Same group at closeness level 0 (island and NUMA), 1 (island), 2 (NUMA), 3 (any).
bool Near(const Gpu& a, const Gpu& b, int level) {
  switch (level) {
    case 0:
      return a.island == b.island && a.numa == b.numa;
    case 1:
      return a.island == b.island;
    case 2:
      return a.numa == b.numa;
    default:
      return true;
  }
}

Mask GroupOf(std::span<const Gpu> gpus, Mask among, std::size_t leader, int level) {
  Mask group = 0;
  for (Mask rest = among; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    if (Near(gpus[leader], gpus[i], level)) group |= Mask{1} << i;
  }
  return group;
}

Mask ChooseWhole(std::span<const Gpu> gpus, Mask idle, std::int32_t count) {
  if (count == 1 || std::popcount(idle) == count) return LowestBits(idle, count);
  for (int level = 0; level < 4; ++level) {
    Mask best = 0;
    for (Mask rest = idle; rest != 0;) {
      const auto leader = static_cast<std::size_t>(std::countr_zero(rest));
      const Mask group = GroupOf(gpus, idle, leader, level);
      rest &= ~group;
      if (std::popcount(group) < count) continue;
      if (best == 0 || std::popcount(group) < std::popcount(best)) best = group;
    }
    if (best != 0) return LowestBits(best, count);
  }
  return 0;
}

Mask ChooseParts(std::span<const std::int16_t> free, Mask roomy, std::int32_t count,
                 Strategy strategy) {
  Mask taken = 0;
  for (; count > 0; --count) {
    int best = -1;
    for (Mask rest = roomy & ~taken; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      const auto now = free[static_cast<std::size_t>(i)];
      const auto then = best < 0 ? now : free[static_cast<std::size_t>(best)];
      const bool better = strategy == Strategy::kSpread ? now > then : now < then;
      if (best < 0 || better) best = i;
    }
    taken |= Mask{1} << best;
  }
  return taken;
}

}  // namespace

std::uint64_t ChooseGpus(std::span<const std::int16_t> free, std::span<const Gpu> gpus,
                         std::int32_t count, std::int16_t each, Strategy strategy) {
  Mask roomy = 0;
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i] >= each) roomy |= Mask{1} << i;
  }
  if (std::popcount(roomy) < count) return 0;
  if (each == kWholeGpu) return ChooseWhole(gpus, roomy, count);
  return ChooseParts(free, roomy, count, strategy);
}

int Distance(std::span<const Gpu> gpus, std::uint64_t mask) {
  if (mask == 0) return 0;
  const auto leader = static_cast<std::size_t>(std::countr_zero(mask));
  for (int level = 0; level < 3; ++level) {
    if (GroupOf(gpus, mask, leader, level) == mask) return level;
  }
  return 3;
}

}  // namespace yard::sched
