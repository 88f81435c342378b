// Random numbers for suggestions: a stream that repeats for the same seed on every machine.
//
// Every suggestion draws from a stream of its own, made from the study's seed and the trial's
// number, so that nothing has to be remembered between suggestions. One thread; never for secrets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/random.h"

namespace yard::tune {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : random_(seed) {}
  // The stream `number` of `seed`; streams of different numbers have nothing in common.
  Rng(std::uint64_t seed, std::uint64_t number);

  std::uint64_t Next() { return random_.Next(); }
  double Uniform();  // in [0, 1)
  double Normal();
  // In [0, bound); bound must be positive.
  std::size_t Below(std::size_t bound);
  // An index with a chance in proportion to its weight; the weights must not all be 0.
  std::size_t Pick(std::span<const double> weights);

  template <class T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  SeededRandom random_;
};

}  // namespace yard::tune
