// Prices that say how scarce a part of a GPU, or a GPU model, is for a given mix of work.
//
// Both are shadow prices of a small linear program, found by multiplicative weights in fixed-point
// integers, so that every machine computes the same ones. kPriceOne is the price of a whole GPU.
// Thread rule: pure functions.
#pragma once

#include <array>
#include <cstdint>

#include "sched/place/frag.h"

namespace yard::sched::frag {

inline constexpr std::int64_t kPriceOne = std::int64_t{1} << 16;
inline constexpr int kSizeStepMilli = 10;  // sizes are rounded up to, free parts down to, 1 %
inline constexpr int kSizeSteps = kWholeGpuMilli / kSizeStepMilli;

// What a GPU with so many steps free is worth: the dearest set of fractions that fits in it, when
// each size is priced so that packing the mix into the fewest GPUs is exactly paid for. A part
// that no likely fraction fits into is worth nothing, whatever its size.
// Monotone; [0] is 0 and [kSizeSteps] is kPriceOne.
using FreePartValues = std::array<std::int64_t, kSizeSteps + 1>;
FreePartValues PriceFreeParts(const ShapeMix& mix);

inline std::int64_t FreePartValue(const FreePartValues& values, std::int64_t free_milli) {
  return values[static_cast<std::size_t>(free_milli / kSizeStepMilli)];
}

// The price of a fraction: what it takes from an idle GPU.
inline std::int64_t SizePrice(const FreePartValues& values, std::int64_t milli) {
  return kPriceOne - FreePartValue(values, kWholeGpuMilli - milli);
}

// How scarce each model is, 0 (nobody needs to be kept off) to kPriceOne, when work like the mix
// comes until the supply is used up and everyone takes the cheapest model that suits.
using ModelPrices = std::array<std::int64_t, kMaxModels>;
ModelPrices PriceModels(const ShapeMix& mix, const FreePartValues& values,
                        const ModelSupply& supply);

}  // namespace yard::sched::frag
