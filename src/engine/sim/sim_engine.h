// An engine whose machines exist only in memory: for tests of what stands above, and for demos.
// It says "sim" in its capabilities and in the labels of its nodes.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "engine/sim/sim_world.h"

namespace yard::engine {

// The world goes on without the engine; a new engine adopts what runs in it.
std::unique_ptr<Engine> MakeSimEngine(std::shared_ptr<SimWorld> world);

}  // namespace yard::engine
