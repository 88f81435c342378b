#include "tune/pruners/pbt.h"

#include <algorithm>
#include <cmath>

#include "tune/domain.h"

namespace yard::tune {
namespace {

constexpr int kTries = 20;

bool IsMutable(const PbtOptions& options, std::size_t parameter) {
  const std::vector<std::size_t>& listed = options.mutable_parameters;
  return listed.empty() || std::ranges::find(listed, parameter) != listed.end();
}

// The nearest value of the domain.
double Nearest(const Domain& domain, double value) {
  if (const auto* number = std::get_if<FloatDomain>(&domain)) {
    double inside = std::clamp(value, number->low, number->high);
    return UnitToValue(domain, ValueToUnit(domain, inside));
  }
  const auto& integer = std::get<IntDomain>(domain);
  auto steps = static_cast<std::int64_t>(
      std::llround((value - static_cast<double>(integer.low)) / static_cast<double>(integer.step)));
  std::int64_t most = (integer.high - integer.low) / integer.step;
  return static_cast<double>(integer.low + std::clamp<std::int64_t>(steps, 0, most) * integer.step);
}

double Perturbed(const Domain& domain, double value, double factor, Rng& rng) {
  bool up = rng.Uniform() < 0.5;
  bool number =
      std::holds_alternative<FloatDomain>(domain) || std::holds_alternative<IntDomain>(domain);
  if (number) return Nearest(domain, up ? value * factor : value / factor);
  double last = static_cast<double>(LevelsOf(domain)) - 1;
  return std::clamp(value + (up ? 1 : -1), 0.0, last);
}

}  // namespace

Configuration ExplorePbt(const Space& space, const PbtOptions& options, const Configuration& from,
                         Rng& rng) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Configuration fresh = space.Decode(space.RandomPoint(rng));
    Configuration changed = from;
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!from.At(i) || !IsMutable(options, i)) continue;
      bool anew = rng.Uniform() < options.resample && fresh.At(i).has_value();
      double factor = options.factor;
      const Domain& domain = space.parameters()[i].domain;
      changed.Set(i, anew ? *fresh.At(i) : Perturbed(domain, *from.At(i), factor, rng));
    }
    // A changed parent may add or drop parameters.
    changed = space.Decode(space.Encode(changed));
    if (space.Satisfies(changed)) return changed;
  }
  return from;
}

std::optional<PbtExploit> DecidePbt(const Space& space, const PbtOptions& options,
                                    std::span<const PbtMember> members, TrialNumber subject,
                                    Rng& rng) {
  std::vector<const PbtMember*> order;
  for (const PbtMember& member : members) order.push_back(&member);
  std::ranges::stable_sort(order, [](const PbtMember* a, const PbtMember* b) {
    // What is not a number is worst.
    if (std::isnan(a->loss) != std::isnan(b->loss)) return std::isnan(b->loss);
    return a->loss < b->loss;
  });
  auto count =
      static_cast<std::size_t>(std::ceil(options.quantile * static_cast<double>(order.size())));
  count = std::min(count, order.size() / 2);
  if (count == 0) return std::nullopt;
  auto worst = std::ranges::find(order.end() - static_cast<std::ptrdiff_t>(count), order.end(),
                                 subject, &PbtMember::trial);
  if (worst == order.end()) return std::nullopt;
  const PbtMember& source = *order[rng.Below(count)];
  return PbtExploit{source.trial, ExplorePbt(space, options, source.configuration, rng)};
}

}  // namespace yard::tune
