// How much text of members stays in memory: specs of work and of assets are kept whole.
//
// One object holds at most a mebibyte. Those that are longer than most are bounded together, for
// each project or maker; short ones are as many as there is work. Pure.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "control/state/state.h"
#include "model/asset.h"
#include "model/workload.h"

namespace yard::control {

inline constexpr std::size_t kMostTextBytes = 1 << 20;     // of one object
inline constexpr std::size_t kLongText = 16 << 10;         // from here on it is counted
inline constexpr std::size_t kMostLongTexts = 128U << 20;  // of a project, or a maker of assets

// The texts of a workload that is new or changed.
Status RequireTextRoom(const State& state, const Workload& workload);
Status RequireTextRoom(const State& state, const Asset& asset);

}  // namespace yard::control
