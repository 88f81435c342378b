#include "sched/place/frag_fgd.h"

#include <algorithm>
#include <array>

namespace yard::sched::frag {
namespace {

// 1,000,000 x ln(k / (100 - k)) for k = 51..99: from there on, in GPUs, 100 x sigmoid reaches k.
// The curve is point-symmetric about 50.
constexpr std::array<std::int64_t, 49> kSteps = {
    40005,   80043,   120144,  160343,  200671,  241162,  281851,  322773,  363965,  405465,
    447312,  489548,  532217,  575364,  619039,  663294,  708185,  753772,  800119,  847298,
    895384,  944462,  994623,  1045969, 1098612, 1152680, 1208311, 1265666, 1324925, 1386294,
    1450010, 1516347, 1585627, 1658228, 1734601, 1815290, 1900959, 1992430, 2090741, 2197225,
    2313635, 2442347, 2586689, 2751535, 2944439, 3178054, 3476099, 3891820, 4595120};

// floor(100 x sigmoid(x)), x in millionths. Below zero, k is reached at -ln((100 - k) / k).
std::int64_t Score(std::int64_t x) {
  if (x >= 0) return 50 + (std::ranges::upper_bound(kSteps, x) - kSteps.begin());
  return 49 - (std::ranges::lower_bound(kSteps, -x) - kSteps.begin());
}

}  // namespace

FgdRule::FgdRule(const ShapeMix& typical) : typical_(typical) {
  for (const auto& entry : typical_) total_weight_ += entry.weight;
}

std::int64_t FgdRule::Worth(const NodeShape& node) const {
  const std::int64_t free = node.FreeMilli();
  std::int64_t fragment = 0;
  for (const auto& [shape, weight] : typical_) {
    if (shape.gpu_count == 0 || !Fits(node, shape)) {
      fragment += weight * free;
      continue;
    }
    for (int i = 0; i < node.gpu_count; ++i) {
      if (node.gpu_milli[i] < shape.gpu_milli) fragment += weight * node.gpu_milli[i];
    }
  }
  return -fragment;
}

std::int64_t FgdRule::Loss(const NodeShape& node, std::int64_t worth, const TaskShape& task,
                           std::uint64_t gpus) const {
  NodeShape after = node;
  Take(after, task, gpus);
  const std::int64_t drop = Worth(after) - worth;  // milli-GPU x weight
  return -Score(drop * 1000 / std::max<std::int64_t>(1, total_weight_));
}

}  // namespace yard::sched::frag
