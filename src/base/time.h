// Points in time and spans, in whole microseconds. Values only: who needs the present takes a
// Clock or a Time as an argument.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/strong.h"

namespace yard {

using Micros = Quantity<struct MicrosTag>;

constexpr Micros Seconds(std::int64_t n) {
  return Micros(n * 1'000'000);
}
constexpr Micros Minutes(std::int64_t n) {
  return Seconds(n * 60);
}
constexpr Micros Hours(std::int64_t n) {
  return Minutes(n * 60);
}
constexpr Micros Days(std::int64_t n) {
  return Hours(n * 24);
}

// Microseconds since 1970-01-01T00:00:00Z.
struct Time {
  std::int64_t micros = 0;
  constexpr auto operator<=>(const Time&) const = default;
  friend constexpr Time operator+(Time t, Micros d) { return {t.micros + d.value}; }
  friend constexpr Time operator-(Time t, Micros d) { return {t.micros - d.value}; }
  friend constexpr Micros operator-(Time a, Time b) { return Micros(a.micros - b.micros); }
};

// "2026-11-15T08:30:00.123456Z"; the fraction is left out when it is zero.
std::string FormatRfc3339(Time time);

// Accepts any offset and up to nine fraction digits (cut to microseconds).
std::optional<Time> ParseRfc3339(std::string_view text);

// Where the present comes from. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time Now() const = 0;
};

// The machine's clock; the only implementation used in production.
const Clock& SystemClock();

// A clock that moves only when told to. Thread-safe.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Time start = {}) : micros_(start.micros) {}
  Time Now() const override { return {micros_}; }
  void Advance(Micros by) { micros_ += by.value; }

 private:
  std::atomic<std::int64_t> micros_;
};

}  // namespace yard
