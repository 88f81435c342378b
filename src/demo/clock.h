// A clock that is moved by hand through the demo's past and then goes with the machine's.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/time.h"

namespace yard::demo {

class SteeredClock final : public Clock {
 public:
  explicit SteeredClock(Time start) : held_(start.micros) {}
  Time Now() const override {
    const std::int64_t held = held_;
    return held == kFree ? SystemClock().Now() : Time{held};
  }
  void MoveTo(Time at) { held_ = at.micros; }
  void Release() { held_ = kFree; }

 private:
  static constexpr std::int64_t kFree = -1;
  std::atomic<std::int64_t> held_;
};

}  // namespace yard::demo
