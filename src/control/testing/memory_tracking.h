// Tracked runs without a disk, for tests. Only uploaded files lie in a folder, which goes with it.
#pragma once

#include <memory>
#include <string>

#include "base/random.h"
#include "base/time.h"
#include "control/track/tracking.h"

namespace yard::control {

class MemoryTracking {
 public:
  // The clock and the random source must outlive it.
  MemoryTracking(const Clock& clock, Random& random);
  ~MemoryTracking();
  MemoryTracking(const MemoryTracking&) = delete;
  MemoryTracking& operator=(const MemoryTracking&) = delete;

  Tracking& operator*() { return *tracking_; }
  Tracking* get() { return tracking_.get(); }

 private:
  std::string folder_;
  std::unique_ptr<Tracking> tracking_;
};

}  // namespace yard::control
