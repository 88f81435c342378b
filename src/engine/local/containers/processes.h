// The processes of a container, where no control group of ours lists them.
#pragma once

#include <vector>

namespace yard::engine::containers {

// Those that number processes as `first` does: a container has a space of its own for that. If it
// has none, or we may not look, those in the session of `first`.
std::vector<int> ProcessesBeside(int first);

}  // namespace yard::engine::containers
