// GPUs that are held but do nothing, as far as somebody measures it. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "control/live.h"
#include "control/state/state.h"

namespace yard::api {

// By the node's cluster and name. A node whose held GPUs nobody measures is missing. So are those
// that hold none while there is such a node: a sum of nothing but their zeros would not be true.
using IdleByNode = std::map<std::pair<ClusterId, std::string>, std::int64_t>;
IdleByNode CountIdle(const control::State& state, const std::vector<control::LiveNode>& nodes);

}  // namespace yard::api
