// The machines of the demo: simulated, and said to be so wherever they are shown.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/task.h"

namespace yard::demo {

inline constexpr std::size_t kUsualNodes = 12;
inline constexpr std::size_t kMostNodes = 10'000;

// The label that puts a node into its pool, and the pools that go by it.
inline constexpr std::string_view kPoolLabel = "gpu";

// So many nodes; more than the usual dozen are more of the same kinds.
std::vector<engine::NodeState> MakeNodes(std::size_t count);

}  // namespace yard::demo
