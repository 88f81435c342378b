#include "base/quantity.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/quantity_suffix.h"

namespace yard {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kMaxMebibytes = 9e15;

struct Suffix {
  std::string_view text;
  double factor;
};
constexpr std::array<Suffix, 14> kSuffixes{{{"", 1},
                                            {"k", 1e3},
                                            {"K", 1e3},
                                            {"M", 1e6},
                                            {"G", 1e9},
                                            {"T", 1e12},
                                            {"P", 1e15},
                                            {"Ki", 1024.0},
                                            {"Mi", kMebibyte},
                                            {"Gi", kMebibyte * 1024},
                                            {"Ti", kMebibyte * 1024 * 1024},
                                            {"Pi", kMebibyte * 1024 * 1024 * 1024},
                                            {"Mib", kMebibyte},
                                            {"m", 1e-3}}};

}  // namespace

std::optional<double> SuffixFactor(std::string_view suffix) {
  for (const Suffix& s : kSuffixes) {
    if (s.text == suffix) return s.factor;
  }
  return std::nullopt;
}

std::optional<Mebibytes> ParseMebibytes(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  std::optional<double> factor = SuffixFactor({rest, static_cast<std::size_t>(end - rest)});
  if (!factor) return std::nullopt;
  double mebibytes = std::ceil(number * *factor / kMebibyte);
  if (mebibytes > kMaxMebibytes) return std::nullopt;
  return Mebibytes(static_cast<std::int64_t>(mebibytes));
}

std::optional<std::int64_t> ParseMilli(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end || !(std::abs(number) <= 1e12)) return std::nullopt;
  double milli = std::round(number * 1000);
  if (std::abs(milli - number * 1000) > 1e-6) return std::nullopt;
  return static_cast<std::int64_t>(milli);
}

std::string FormatMilli(std::int64_t milli) {
  std::string sign = milli < 0 ? "-" : "";
  std::int64_t whole = std::abs(milli) / 1000;
  std::int64_t rest = std::abs(milli) % 1000;
  if (rest == 0) return fmt::format("{}{}", sign, whole);
  std::string digits = fmt::format("{:03}", rest);
  digits.erase(digits.find_last_not_of('0') + 1);
  return fmt::format("{}{}.{}", sign, whole, digits);
}

}  // namespace yard
