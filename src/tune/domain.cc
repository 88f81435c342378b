#include "tune/domain.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace yard::tune {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

std::size_t StepCount(double low, double high, double step) {
  return static_cast<std::size_t>(std::floor((high - low) / step + 1e-9)) + 1;
}

double FloatLevel(const FloatDomain& domain, std::size_t level) {
  return std::min(domain.low + static_cast<double>(level) * *domain.step, domain.high);
}

double IntLevel(const IntDomain& domain, std::size_t level) {
  return static_cast<double>(domain.low + static_cast<std::int64_t>(level) * domain.step);
}

// Position of x between low and high on the scale.
double Position(double x, double low, double high, Scale scale) {
  if (scale == Scale::kLog) return std::log(x / low) / std::log(high / low);
  return (x - low) / (high - low);
}

double Value(double u, double low, double high, Scale scale) {
  if (scale == Scale::kLog) return low * std::exp(u * std::log(high / low));
  return low + u * (high - low);
}

bool IsLogInt(const Domain& domain) {
  const auto* integer = std::get_if<IntDomain>(&domain);
  return integer != nullptr && integer->scale == Scale::kLog;
}

std::string FloatProblem(const FloatDomain& domain) {
  if (!std::isfinite(domain.low) || !std::isfinite(domain.high)) return "a bound is not finite";
  if (domain.low > domain.high) return fmt::format("low {} > high {}", domain.low, domain.high);
  const bool log = domain.scale == Scale::kLog;
  if (log && domain.low <= 0) return "a log scale needs low > 0";
  // Places in between are told by the width.
  if (!std::isfinite(log ? domain.high / domain.low : domain.high - domain.low))
    return "low and high are too far apart";
  if (!domain.step) return {};
  if (log) return "a log scale takes no step";
  if (!(*domain.step > 0)) return "the step must be positive";
  if ((domain.high - domain.low) / *domain.step > 1e9) return "more than 1e9 steps";
  const double largest = std::max(std::abs(domain.low), std::abs(domain.high));
  if (largest + *domain.step / 4 == largest) return "the step is lost beside the bounds";
  return {};
}

std::string IntProblem(const IntDomain& domain) {
  if (domain.low > domain.high) return fmt::format("low {} > high {}", domain.low, domain.high);
  if (domain.scale == Scale::kLog && domain.low < 1) return "a log scale needs low >= 1";
  if (domain.step < 1) return "the step must be positive";
  if (domain.scale == Scale::kLog && domain.step != 1) return "a log scale takes no step";
  constexpr std::int64_t kMax = 1LL << 52;
  if (domain.low < -kMax || domain.high > kMax) return "a bound is beyond 2^52";
  return {};
}

std::string ChoicesProblem(std::span<const std::string> choices) {
  if (choices.empty()) return "there is no choice";
  std::set<std::string> distinct(choices.begin(), choices.end());
  if (distinct.size() != choices.size()) return "a choice stands there twice";
  return {};
}

}  // namespace

std::string DomainProblem(const Domain& domain) {
  return std::visit(Overloaded{[](const FloatDomain& d) { return FloatProblem(d); },
                               [](const IntDomain& d) { return IntProblem(d); },
                               [](const CategoricalDomain& d) { return ChoicesProblem(d.choices); },
                               [](const OrdinalDomain& d) { return ChoicesProblem(d.choices); },
                               [](const ConstantDomain&) { return std::string(); }},
                    domain);
}

std::size_t LevelsOf(const Domain& domain) {
  return std::visit(Overloaded{[](const FloatDomain& d) -> std::size_t {
                                 if (d.low == d.high) return 1;
                                 return d.step ? StepCount(d.low, d.high, *d.step) : 0;
                               },
                               [](const IntDomain& d) {
                                 return static_cast<std::size_t>((d.high - d.low) / d.step) + 1;
                               },
                               [](const CategoricalDomain& d) { return d.choices.size(); },
                               [](const OrdinalDomain& d) { return d.choices.size(); },
                               [](const ConstantDomain&) { return std::size_t{1}; }},
                    domain);
}

double LevelToUnit(const Domain& domain, std::size_t level) {
  if (IsLogInt(domain)) {
    const auto& d = std::get<IntDomain>(domain);
    return Position(IntLevel(d, level), static_cast<double>(d.low) - 0.5,
                    static_cast<double>(d.high) + 0.5, Scale::kLog);
  }
  return (static_cast<double>(level) + 0.5) / static_cast<double>(LevelsOf(domain));
}

std::size_t UnitToLevel(const Domain& domain, double u) {
  std::size_t levels = LevelsOf(domain);
  if (IsLogInt(domain)) {
    const auto& d = std::get<IntDomain>(domain);
    double value = Value(std::clamp(u, 0.0, 1.0), static_cast<double>(d.low) - 0.5,
                         static_cast<double>(d.high) + 0.5, Scale::kLog);
    auto rounded = static_cast<std::int64_t>(std::llround(value));
    return static_cast<std::size_t>(std::clamp(rounded, d.low, d.high) - d.low);
  }
  auto level = static_cast<std::int64_t>(std::floor(u * static_cast<double>(levels)));
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(level, 0, static_cast<std::int64_t>(levels) - 1));
}

Space::Cell LevelCell(const Domain& domain, std::size_t level) {
  if (IsLogInt(domain)) {
    const auto& d = std::get<IntDomain>(domain);
    double low = static_cast<double>(d.low) - 0.5;
    double high = static_cast<double>(d.high) + 0.5;
    double value = IntLevel(d, level);
    return {Position(value - 0.5, low, high, Scale::kLog),
            Position(value + 0.5, low, high, Scale::kLog)};
  }
  auto levels = static_cast<double>(LevelsOf(domain));
  return {static_cast<double>(level) / levels, static_cast<double>(level + 1) / levels};
}

double ValueToUnit(const Domain& domain, double value) {
  if (const auto* d = std::get_if<FloatDomain>(&domain)) {
    if (LevelsOf(domain) == 0) return Position(value, d->low, d->high, d->scale);
    if (!d->step) return 0.5;
    return LevelToUnit(domain, static_cast<std::size_t>(std::llround((value - d->low) / *d->step)));
  }
  if (const auto* d = std::get_if<IntDomain>(&domain)) {
    auto offset = static_cast<std::int64_t>(value) - d->low;
    return LevelToUnit(domain, static_cast<std::size_t>(offset / d->step));
  }
  if (std::holds_alternative<CategoricalDomain>(domain)) return value;
  return LevelToUnit(domain, static_cast<std::size_t>(value));
}

double UnitToValue(const Domain& domain, double u) {
  if (const auto* d = std::get_if<FloatDomain>(&domain)) {
    if (d->low == d->high) return d->low;
    if (d->step) return FloatLevel(*d, UnitToLevel(domain, u));
    return std::clamp(Value(std::clamp(u, 0.0, 1.0), d->low, d->high, d->scale), d->low, d->high);
  }
  if (const auto* d = std::get_if<IntDomain>(&domain)) return IntLevel(*d, UnitToLevel(domain, u));
  if (const auto* d = std::get_if<CategoricalDomain>(&domain)) {
    return std::clamp(std::round(u), 0.0, static_cast<double>(d->choices.size()) - 1);
  }
  return static_cast<double>(UnitToLevel(domain, u));
}

bool Contains(const Domain& domain, double value) {
  if (const auto* d = std::get_if<FloatDomain>(&domain)) {
    if (!(value >= d->low && value <= d->high)) return false;
    if (!d->step) return true;
    double steps = (value - d->low) / *d->step;
    // Beside a large bound a value is not that near to its level, but it is the level's own.
    return std::abs(steps - std::round(steps)) < 1e-6 ||
           value == FloatLevel(*d, static_cast<std::size_t>(std::llround(steps)));
  }
  if (value != std::floor(value)) return false;
  if (const auto* d = std::get_if<IntDomain>(&domain)) {
    auto integer = static_cast<std::int64_t>(value);
    return integer >= d->low && integer <= d->high && (integer - d->low) % d->step == 0;
  }
  return value >= 0 && value < static_cast<double>(LevelsOf(domain));
}

std::span<const std::string> ChoicesOf(const Domain& domain) {
  if (const auto* d = std::get_if<CategoricalDomain>(&domain)) return d->choices;
  if (const auto* d = std::get_if<OrdinalDomain>(&domain)) return d->choices;
  if (const auto* d = std::get_if<ConstantDomain>(&domain)) return {&d->value, 1};
  return {};
}

double TextValue(std::string_view text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return static_cast<double>(hash >> 12);
}

}  // namespace yard::tune
