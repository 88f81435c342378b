// Time of one suggestion with n finished trials: random points of a sphere, or of a mixed space.
#pragma once

#include <string_view>

namespace yard::bench {

// Prints "SAMPLER SPACE N MEDIAN_MS MAX_MS INSERT_MS" for `rounds` suggestions, each told.
int Speed(std::string_view sampler, std::string_view space, int trials, int rounds);

}  // namespace yard::bench
