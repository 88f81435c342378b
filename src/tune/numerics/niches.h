// Which of a front survive: by crowding distance, or by niches around directions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tune/numerics/pareto.h"

namespace yard::tune {

// The `count` least crowded, by index.
std::vector<std::size_t> ByCrowding(std::span<const Losses> front, std::size_t count);
// `count` of the front, filling the niches that `kept` and they leave emptiest.
std::vector<std::size_t> ByNiches(std::span<const Losses> kept, std::span<const Losses> front,
                                  std::size_t count);
// Evenly spread directions: all vectors of multiples of 1/divisions that sum to 1.
std::vector<Losses> Directions(std::size_t objectives, std::size_t divisions);

}  // namespace yard::tune
