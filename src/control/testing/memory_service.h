// A control plane without a disk, for tests.
#pragma once

#include <memory>

#include "base/random.h"
#include "base/time.h"
#include "control/service.h"

namespace yard::control {

// Empty, on a store in memory. The clock and the random source must outlive it.
std::unique_ptr<Service> StartInMemory(const Clock& clock, Random& random);

}  // namespace yard::control
