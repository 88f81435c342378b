// The days before the demo was started, gone through in no time by the real service and driver.
//
// What the records say happened did happen, only on simulated nodes and a steered clock: every
// placement, preemption, waiting reason and failure is the scheduler's and the engine's own.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "control/service.h"
#include "demo/clock.h"
#include "engine/sim/sim_world.h"

namespace yard::demo {

struct PastOptions {
  Micros length = Days(3);
  std::int64_t jobs = 640;  // of the stream, evenly spread
  Micros grain{0};          // time moves at least so much at once
};

// From the clock's present on, for so long. The driver it uses is gone when it returns; what runs
// goes on in the world.
Status LiveThrough(const PastOptions& options, control::Service& service,
                   const std::shared_ptr<engine::SimWorld>& world, SteeredClock& clock);

}  // namespace yard::demo
