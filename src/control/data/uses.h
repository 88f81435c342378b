// Which versions of data sets work uses that has not ended. Only reads the State; any thread.
#pragma once

#include <set>

#include "control/data/datasets.h"
#include "control/state/state.h"

namespace yard::control {

std::set<DataUse> DataUsesOf(const State& state);

}  // namespace yard::control
