// FGD, the published fragmentation-gradient rule, as a baseline to compare with.
//
// The fragment of a node is, averaged over the typical shapes, the free GPU a shape cannot use
// there: all of it if the shape does not fit (or needs no GPU), else what lies on GPUs too small
// for it. A placement is scored floor(100 x sigmoid(drop of the fragment in GPUs)); the coarse
// steps matter, since ties then gather work on the first nodes.
// Thread rule: any thread; immutable.
#pragma once

#include <cstdint>

#include "sched/place/frag.h"

namespace yard::sched::frag {

class FgdRule final : public PlacementRule {
 public:
  explicit FgdRule(const ShapeMix& typical);

  // Minus the fragment, in milli-GPU times the total weight of the mix.
  std::int64_t Worth(const NodeShape& node) const override;
  // Minus the published score, 0 to -100.
  std::int64_t Loss(const NodeShape& node, std::int64_t worth, const TaskShape& task,
                    std::uint64_t gpus) const override;

 private:
  ShapeMix typical_;
  std::int64_t total_weight_ = 0;
};

}  // namespace yard::sched::frag
