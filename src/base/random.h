// Randomness and identity arrive as arguments: production passes SystemRandom(), tests a seeded
// source that repeats.
#pragma once

#include <cstdint>
#include <span>

namespace yard {

// Thread-safe unless an implementation says otherwise.
class Random {
 public:
  virtual ~Random() = default;
  virtual void Fill(std::span<std::uint8_t> bytes) = 0;
};

// The kernel's generator, fit for secrets.
Random& SystemRandom();

// A repeatable stream (SplitMix64). One thread; never for secrets.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}
  void Fill(std::span<std::uint8_t> bytes) override;
  std::uint64_t Next();
  // Uniform in [0, bound); bound must be positive.
  std::uint64_t Below(std::uint64_t bound);

 private:
  std::uint64_t state_;
};

}  // namespace yard
