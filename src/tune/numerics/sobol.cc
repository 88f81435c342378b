#include "tune/numerics/sobol.h"

#include <boost/random/sobol.hpp>

#include "tune/rng.h"

namespace yard::tune {
namespace {

std::uint32_t Reverse(std::uint32_t x) {
  x = ((x >> 1) & 0x55555555U) | ((x & 0x55555555U) << 1);
  x = ((x >> 2) & 0x33333333U) | ((x & 0x33333333U) << 2);
  x = ((x >> 4) & 0x0F0F0F0FU) | ((x & 0x0F0F0F0FU) << 4);
  x = ((x >> 8) & 0x00FF00FFU) | ((x & 0x00FF00FFU) << 8);
  return (x >> 16) | (x << 16);
}

// Owen's nested scrambling by a hash: a bit of the result depends only on the bits above it.
std::uint32_t Scramble(std::uint32_t x, std::uint32_t seed) {
  x = Reverse(x);
  x += seed;
  x ^= x * 0x6c50b47cU;
  x ^= x * 0xb82f1e52U;
  x ^= x * 0xc7afe638U;
  x ^= x * 0x8d22f6e6U;
  return Reverse(x);
}

}  // namespace

std::vector<double> SobolPoints(std::size_t dimensions, std::size_t first, std::size_t count,
                                std::uint64_t seed) {
  boost::random::sobol_engine<std::uint32_t, 32> engine(dimensions);
  std::vector<std::uint32_t> seeds(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) {
    seeds[i] = static_cast<std::uint32_t>(Rng(seed, i).Next() >> 32);
  }
  // The engine leaves out the point of zeros, without which the first 2^m are not evenly spread.
  if (first > 0) engine.discard((first - 1) * dimensions);
  std::vector<double> points(count * dimensions);
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::uint32_t raw = first == 0 && i < dimensions ? 0 : engine();
    points[i] = static_cast<double>(Scramble(raw, seeds[i % dimensions])) * 0x1.0p-32;
  }
  return points;
}

}  // namespace yard::tune
