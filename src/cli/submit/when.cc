#include "cli/submit/when.h"

#include <array>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "cli/submit/parse.h"

namespace yard::cli {
namespace {

constexpr std::int64_t kMicros = 1'000'000;

std::tm LocalTime(Time time) {
  std::time_t seconds = time.micros / kMicros;
  std::tm local{};
  localtime_r(&seconds, &local);
  return local;
}

Time FromLocal(std::tm local) {
  local.tm_isdst = -1;
  return {static_cast<std::int64_t>(std::mktime(&local)) * kMicros};
}

std::optional<int> Part(std::string_view text, int least, int most) {
  std::optional<std::int64_t> number = ParseInt(text);
  if (!number || *number < least || *number > most) return std::nullopt;
  return static_cast<int>(*number);
}

// "18:00" or "18:00:30".
bool TakeClock(std::string_view text, std::tm& local) {
  std::vector<std::string_view> parts = Split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return false;
  std::optional<int> hour = Part(parts[0], 0, 23);
  std::optional<int> minute = Part(parts[1], 0, 59);
  std::optional<int> second = parts.size() == 3 ? Part(parts[2], 0, 60) : 0;
  if (!hour || !minute || !second) return false;
  local.tm_hour = *hour;
  local.tm_min = *minute;
  local.tm_sec = *second;
  return true;
}

// "2026-11-15".
bool TakeDate(std::string_view text, std::tm& local) {
  std::vector<std::string_view> parts = Split(text, '-');
  if (parts.size() != 3) return false;
  std::optional<int> year = Part(parts[0], 1970, 9999);
  std::optional<int> month = Part(parts[1], 1, 12);
  std::optional<int> day = Part(parts[2], 1, 31);
  if (!year || !month || !day) return false;
  local.tm_year = *year - 1900;
  local.tm_mon = *month - 1;
  local.tm_mday = *day;
  return true;
}

// Slurm's "now+2hours": the number and the first letter of its unit; seconds without one.
std::optional<Micros> TakeDelay(std::string_view text) {
  std::size_t end = text.find_first_not_of("0123456789");
  std::string_view unit = end == text.npos ? "" : text.substr(end);
  constexpr std::array<std::string_view, 10> kUnits = {
      "seconds", "minutes", "hours", "days", "weeks", "second", "minute", "hour", "day", "week"};
  bool spelled = false;
  for (std::string_view known : kUnits) spelled = spelled || unit == known;
  std::string plain(text.substr(0, end));
  if (spelled) plain += unit[0];
  if (unit.empty()) plain += 's';
  if (!spelled && !unit.empty()) plain = text;
  Result<Micros> span = ParseDuration(plain);
  return span ? std::optional(*span) : std::nullopt;
}

// The next time the clock shows this.
Time NextTime(std::tm local, Time now) {
  Time at = FromLocal(local);
  if (at > now) return at;
  ++local.tm_mday;
  return FromLocal(local);
}

std::optional<Time> TakeWord(std::string_view text, std::tm local, Time now) {
  constexpr std::array<std::pair<std::string_view, int>, 3> kHours{
      {{"midnight", 0}, {"noon", 12}, {"teatime", 16}}};
  local.tm_min = local.tm_sec = 0;
  for (const auto& [word, hour] : kHours) {
    local.tm_hour = hour;
    if (text == word) return NextTime(local, now);
  }
  local.tm_hour = 0;
  if (text == "today") return FromLocal(local);
  ++local.tm_mday;
  if (text == "tomorrow") return FromLocal(local);
  return std::nullopt;
}

}  // namespace

Result<Time> ParseWhen(std::string_view text, Time now) {
  if (std::optional<Time> exact = ParseRfc3339(text)) return *exact;
  if (text == "now") return now;
  if (text.starts_with("now+")) {
    if (std::optional<Micros> delay = TakeDelay(text.substr(4))) return now + *delay;
  }
  std::tm local = LocalTime(now);
  if (std::optional<Time> known = TakeWord(text, local, now)) return *known;
  if (TakeClock(text, local)) return NextTime(local, now);
  std::size_t middle = text.find('T');
  local.tm_hour = local.tm_min = local.tm_sec = 0;
  bool dated = TakeDate(text.substr(0, middle), local);
  if (dated && (middle == text.npos || TakeClock(text.substr(middle + 1), local)))
    return FromLocal(local);
  return Fail(Code::kInvalid, fmt::format("'{}' is not a time", text),
              "write 18:00, 2026-11-15T18:00, 2026-11-15T18:00:00Z, now+2h or tomorrow");
}

}  // namespace yard::cli
