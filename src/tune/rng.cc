#include "tune/rng.h"

#include "base/check.h"
#include "tune/numerics/normal.h"

namespace yard::tune {
namespace {

std::uint64_t Mix(std::uint64_t seed, std::uint64_t number) {
  SeededRandom first(seed);
  SeededRandom second(first.Next() ^ (number * 0x9E3779B97F4A7C15ULL));
  return second.Next();
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t number) : random_(Mix(seed, number)) {}

double Rng::Uniform() {
  return static_cast<double>(random_.Next() >> 11) * 0x1.0p-53;
}

double Rng::Normal() {
  return NormalQuantile(Uniform() * (1 - 0x1.0p-52) + 0x1.0p-54);
}

std::size_t Rng::Below(std::size_t bound) {
  YARD_CHECK(bound > 0);
  return random_.Below(bound);
}

std::size_t Rng::Pick(std::span<const double> weights) {
  double total = 0;
  for (double weight : weights) total += weight;
  YARD_CHECK(total > 0);
  double left = Uniform() * total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return weights.size() - 1;
}

}  // namespace yard::tune
