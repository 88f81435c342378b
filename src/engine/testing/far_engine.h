// An engine as it is seen from far away: slow, and now and then out of contact. For tests of what
// stands above an engine, and for the conformance of engines that are far away themselves.
//
// A call may get lost, its answer may get lost after it took effect, it may arrive twice; news may
// come twice. Which of these happens follows from the seed and the order of calls. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/engine.h"

namespace yard::engine::testing {

// Offers the logs of `inner`, if it has some, and nothing else besides running tasks.
std::unique_ptr<Engine> MakeFarEngine(std::unique_ptr<Engine> inner, std::uint64_t seed);
std::unique_ptr<Engine> MakeFarEngine(Engine& inner, std::uint64_t seed);

// Asks `far` until it answers, as the dispatcher does.
std::unique_ptr<Engine> MakePersistentEngine(std::unique_ptr<Engine> far);

}  // namespace yard::engine::testing
