// The rule Gpuyard places by: keep what is free useful for the work that is expected.
//
// Worth of a node = (whole + usable) x scarcity of its GPU model, where
//   whole   is the summed price of its free GPU parts (frag_price.h), CPU left aside;
//   usable  is how much of that the mix can really reach, averaged over the typical shapes.
//           For a shape of one GPU: the lesser of `whole` and what the node's CPU (and memory)
//           feeds at that shape's need per unit of GPU price; needs are counted at 70 %, since
//           beside a heavy task there is usually a lighter one. For a shape of several GPUs: as
//           many complete groups of idle GPUs as CPU and memory feed.
// A node that will run out of CPU before it runs out of GPUs is thereby worth less long before it
// is stuck, and a task that takes little CPU per GPU is drawn there.
//
// An Outlook is immutable; make a new one when the mix has changed noticeably (frag_learner.h).
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/place/frag.h"
#include "sched/place/frag_price.h"

namespace yard::sched::frag {

// About the worth of an idle GPU of a model that is not scarce, with CPU and memory to spare.
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
  // Some shapes by what they need of one resource, ascending.
  struct Needs {
    std::vector<std::int64_t> amounts;
    std::vector<std::int64_t> weight_to;  // weights of amounts[0..i)
    std::vector<std::int64_t> rate_from;  // sum of weight * kPriceOne / amount over amounts[i..)

    // Sum of weight * min(slots, kPriceOne * supply / amount); the division is exact.
    std::int64_t Fed(std::int64_t slots, std::int64_t supply) const;
    // Sum of weight * min(groups, floor(supply / amount)).
    std::int64_t FedWhole(std::int64_t groups, std::int64_t supply) const;
  };
  // The shapes that ask for `gpu_count` GPUs and allow one model.
  struct Group {
    std::int64_t gpu_count = 1;
    Needs cpu;
    Needs memory;
  };
  struct Need {
    std::int64_t amount = 0;
    std::int64_t weight = 0;
  };
  static Needs Sorted(std::vector<Need> needs);
  Group MakeGroup(const ShapeMix& mix, std::int16_t gpu_count, std::int16_t model) const;
  std::int64_t NeedOf(const TaskShape& shape, std::int64_t amount) const;

  FreePartValues free_parts_;
  ModelPrices model_prices_;
  std::vector<std::vector<Group>> groups_;  // by model
};

}  // namespace yard::sched::frag
