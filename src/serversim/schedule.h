// What happens next, in simulated time. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "base/time.h"

namespace yard::serversim {

class Schedule {
 public:
  using Event = std::move_only_function<void()>;

  // Events of one moment happen in the order in which they were added.
  void In(Micros delay, Event event) {
    events_.emplace(std::pair(now_ + delay, ++added_), std::move(event));
  }
  // Moves to the next event and lets it happen; false: there is none.
  bool RunNext() {
    if (events_.empty()) return false;
    auto next = events_.extract(events_.begin());
    now_ = next.key().first;
    next.mapped()();
    return true;
  }
  Time now() const { return now_; }

 private:
  std::map<std::pair<Time, std::uint64_t>, Event> events_;
  std::uint64_t added_ = 0;
  Time now_{1'780'000'000'000'000};  // May 2026
};

// The server's clock: simulated time, and how far somebody has set it wrong.
class SteppedClock final : public Clock {
 public:
  explicit SteppedClock(const Schedule& schedule) : schedule_(schedule) {}
  Time Now() const override { return schedule_.now() + offset_; }
  void Step(Micros by) { offset_ = offset_ + by; }

 private:
  const Schedule& schedule_;
  Micros offset_{0};
};

}  // namespace yard::serversim
