#include "base/steady_clock.h"

#include <chrono>

namespace yard {
namespace {

class MachineSteadyClock final : public Clock {
 public:
  Time Now() const override {
    auto since = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::microseconds>(since).count()};
  }
};

}  // namespace

const Clock& SteadyClock() {
  static const MachineSteadyClock clock;
  return clock;
}

}  // namespace yard
