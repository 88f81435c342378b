// Scrambled Sobol points: fill the cube more evenly than random ones, different for every seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace yard::tune {

// Points `first` to `first + count` of the sequence, row by row, in [0, 1). At most 3,000
// dimensions.
std::vector<double> SobolPoints(std::size_t dimensions, std::size_t first, std::size_t count,
                                std::uint64_t seed);

}  // namespace yard::tune
