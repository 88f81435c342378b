// A study over a pipe, so that a Python program can measure it beside others on the same
// objectives.
#pragma once

#include <string_view>

#include "base/result.h"
#include "tune/sampler.h"

namespace yard::bench {

// Lines in: "space KIND..." with one KIND per parameter (float, cat:N, ord:N, int:LOW:HIGH), then
// "study SAMPLER SEED BUDGET PARALLELISM OBJECTIVES", then any number of "ask" (answered by the
// number and the coordinates) and "tell NUMBER VALUE..." until "end". Several studies may follow
// each other.
int Serve();

Result<tune::SamplerKind> SamplerNamed(std::string_view name);

}  // namespace yard::bench
