#include "base/time.h"

#include <charconv>
#include <chrono>

namespace yard {
namespace {

using Days = std::chrono::sys_days;

class RealClock final : public Clock {
 public:
  Time Now() const override {
    auto now = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::microseconds>(now).count()};
  }
};

// Reads fixed-width numbers and separators off the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}
  bool Take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<int> Number(std::size_t width) {
    int value = 0;
    if (rest_.size() < width || rest_[0] < '0' || rest_[0] > '9') return std::nullopt;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + width, value);
    if (error != std::errc{} || end != rest_.data() + width) return std::nullopt;
    rest_.remove_prefix(width);
    return value;
  }
  // Digits after the point, as microseconds.
  std::optional<std::int64_t> Fraction() {
    std::int64_t micros = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9'; ++digits) {
      if (digits < 6) micros = micros * 10 + (rest_[digits] - '0');
    }
    if (digits == 0 || digits > 9) return std::nullopt;
    for (std::size_t i = digits; i < 6; ++i) micros *= 10;
    rest_.remove_prefix(digits);
    return micros;
  }
  bool AtEnd() const { return rest_.empty(); }
  char Peek() const { return rest_.empty() ? '\0' : rest_.front(); }

 private:
  std::string_view rest_;
};

// "Z", "+02:00" or "-0530"; in seconds east of Greenwich.
std::optional<int> TakeOffset(Cursor& cursor) {
  if (cursor.Take('Z') || cursor.Take('z')) return 0;
  int sign = cursor.Peek() == '-' ? -1 : 1;
  if (!cursor.Take('-') && !cursor.Take('+')) return std::nullopt;
  auto hours = cursor.Number(2);
  cursor.Take(':');
  auto minutes = cursor.Number(2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

std::optional<std::int64_t> TakeSecondsOfDay(Cursor& cursor) {
  auto hour = cursor.Number(2);
  if (!hour || !cursor.Take(':')) return std::nullopt;
  auto minute = cursor.Number(2);
  if (!minute || !cursor.Take(':')) return std::nullopt;
  auto second = cursor.Number(2);
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return *hour * 3600 + *minute * 60 + *second;
}

std::optional<std::int64_t> TakeDays(Cursor& cursor) {
  auto year = cursor.Number(4);
  if (!year || !cursor.Take('-')) return std::nullopt;
  auto month = cursor.Number(2);
  if (!month || !cursor.Take('-')) return std::nullopt;
  auto day = cursor.Number(2);
  if (!day) return std::nullopt;
  std::chrono::year_month_day date{std::chrono::year{*year},
                                   std::chrono::month{static_cast<unsigned>(*month)},
                                   std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  return Days{date}.time_since_epoch().count();
}

// The last digits of a number, as many as the part of the text has. Unsigned and narrow: dividing
// by ten is a multiplication then.
template <std::size_t kWidth>
void PutDigits(char* at, std::uint32_t value) {
  for (std::size_t i = kWidth; i-- > 0; value /= 10) at[i] = static_cast<char>('0' + value % 10);
}

}  // namespace

// Written by hand: a page of workloads has hundreds of them.
std::string FormatRfc3339(Time time) {
  auto days = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::microseconds>{std::chrono::microseconds{time.micros}});
  std::chrono::year_month_day date{days};
  auto micros = static_cast<std::uint64_t>(time.micros - days.time_since_epoch().count() *
                                                             INT64_C(86'400'000'000));
  auto seconds = static_cast<std::uint32_t>(micros / 1'000'000);
  auto fraction = static_cast<std::uint32_t>(micros % 1'000'000);
  char text[] = "0000-00-00T00:00:00.000000Z";
  PutDigits<4>(text, static_cast<std::uint32_t>(static_cast<int>(date.year())));
  PutDigits<2>(text + 5, static_cast<unsigned>(date.month()));
  PutDigits<2>(text + 8, static_cast<unsigned>(date.day()));
  PutDigits<2>(text + 11, seconds / 3600);
  PutDigits<2>(text + 14, seconds / 60 % 60);
  PutDigits<2>(text + 17, seconds % 60);
  PutDigits<6>(text + 20, fraction);
  constexpr std::size_t kWhole = 19;
  constexpr std::size_t kAll = 27;
  if (fraction == 0) text[kWhole] = 'Z';
  return std::string(text, fraction == 0 ? kWhole + 1 : kAll);
}

std::optional<Time> ParseRfc3339(std::string_view text) {
  Cursor cursor(text);
  auto days = TakeDays(cursor);
  if (!days || !(cursor.Take('T') || cursor.Take('t') || cursor.Take(' '))) return std::nullopt;
  auto seconds = TakeSecondsOfDay(cursor);
  if (!seconds) return std::nullopt;
  std::int64_t micros = 0;
  if (cursor.Take('.')) {
    auto fraction = cursor.Fraction();
    if (!fraction) return std::nullopt;
    micros = *fraction;
  }
  auto offset = TakeOffset(cursor);
  if (!offset || !cursor.AtEnd()) return std::nullopt;
  return Time{(*days * 86'400 + *seconds - *offset) * 1'000'000 + micros};
}

const Clock& SystemClock() {
  static const RealClock clock;
  return clock;
}

}  // namespace yard
