// Randomness for many ids: a call to the kernel for each would cost more than the id.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/random.h"

namespace yard {

// Hands out what it took from another source in larger pieces, and forgets it. As fit for secrets
// as its source, which must outlive it. One thread.
class PooledRandom final : public Random {
 public:
  explicit PooledRandom(Random& source) : source_(source) {}
  void Fill(std::span<std::uint8_t> bytes) override;

 private:
  Random& source_;
  std::array<std::uint8_t, 512> pool_{};
  std::size_t left_ = 0;  // bytes at the end of the pool that nobody has had
};

}  // namespace yard
