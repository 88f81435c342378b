#include "base/pooled_random.h"

#include <algorithm>

namespace yard {

void PooledRandom::Fill(std::span<std::uint8_t> bytes) {
  if (bytes.size() > pool_.size() / 2) return source_.Fill(bytes);
  if (left_ < bytes.size()) {
    source_.Fill(pool_);
    left_ = pool_.size();
  }
  auto taken = std::span(pool_).last(left_).first(bytes.size());
  std::ranges::copy(taken, bytes.begin());
  std::ranges::fill(taken, std::uint8_t{0});
  left_ -= bytes.size();
}

}  // namespace yard
