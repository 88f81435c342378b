// The rule Gpuyard places by: keep what is free useful for the work that is expected.
//
// Worth of a node = (usable + whole) x scarcity of its GPU model, where
//   whole   is the summed price of its free GPU parts (frag_price.h), CPU left aside;
//   usable  is how much of that the mix can really reach: for each typical shape, the lesser of
//           the GPU price left and what the node's CPU (and memory) feeds at that shape's need per
//           unit of GPU price, averaged over the mix. Tasks that need several whole GPUs count
//           only complete groups of idle ones.
// A node that runs out of CPU before it runs out of GPUs is thereby worth less long before it is
// stuck, and a task that takes little CPU per GPU is drawn there.
// Needs are counted at 70 %: beside a heavy task there is usually a lighter one.
//
// An Outlook is immutable; make a new one when the mix has changed noticeably (frag_learner.h).
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/place/frag.h"
#include "sched/place/frag_price.h"

namespace yard::sched {

// The worth of an idle GPU of a model that is not scarce, with CPU and memory to spare.
inline constexpr std::int64_t kWorthPerGpu = std::int64_t{1} << 45;

class Outlook final : public PlacementRule {
 public:
  // `supply` is what is free now; an empty one means that no model is scarce.
  explicit Outlook(const ShapeMix& mix, const ModelSupply& supply = {});

  std::int64_t Worth(const NodeShape& node) const override;
  std::int64_t Loss(const NodeShape& node, std::int64_t worth, const TaskShape& task,
                    std::uint64_t gpus) const override;

  const FreePartValues& free_parts() const { return free_parts_; }
  const ModelPrices& model_prices() const { return model_prices_; }

 private:
  // Mean over some shapes of min(slots, amount / need), by need ascending.
  struct Curve {
    std::vector<std::int64_t> needs;      // per kPriceOne of GPU
    std::vector<std::int64_t> weight_to;  // weights of needs[0..i)
    std::vector<std::int64_t> rate_from;  // sum of weight * kPriceOne / need over needs[i..)
    std::int64_t At(std::int64_t slots, std::int64_t amount) const;
  };
  // The shapes that ask for `gpu_count` GPUs and allow one model.
  struct Group {
    std::int64_t gpu_count = 1;
    Curve cpu;
    Curve memory;
  };
  struct Need {
    std::int64_t amount = 0;
    std::int64_t weight = 0;
  };
  static Curve MakeCurve(std::vector<Need> needs);
  Group MakeGroup(const ShapeMix& mix, std::int16_t gpu_count, std::int16_t model,
                  std::int64_t total_weight) const;
  Need NeedOf(const TaskShape& shape, std::int64_t amount) const;

  FreePartValues free_parts_;
  ModelPrices model_prices_;
  std::vector<std::vector<Group>> groups_;  // by model
};

}  // namespace yard::sched
