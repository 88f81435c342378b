// Makes the dispatcher's calls of an engine, and says in the dispatcher's words what came of them.
//
// Blocks as long as the engine does. Any thread; calls about one attempt one after the other.
#pragma once

#include <cstddef>

#include "control/dispatch/orders.h"
#include "control/launch/spec.h"
#include "control/state/state.h"
#include "engine/engine.h"

namespace yard::control {

// `state` is the newest, not that of the order: work that ended meanwhile is not launched.
Inbox Perform(const EngineOrder& order, const State& state, engine::Engine& engine,
              const LaunchContext& launch, Time now);

// Orders of one lane are to be made in the order they were given.
std::size_t LaneOf(const EngineOrder& order);

}  // namespace yard::control
