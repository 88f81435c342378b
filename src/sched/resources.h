// The three resources that quotas speak of, as one value.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/quantity.h"

namespace yard::sched {

// Wide enough for the product of two amounts.
__extension__ typedef __int128 Wide;

// A quota or limit that does not bind.
inline constexpr std::int64_t kUnlimited = -1;

inline constexpr int kResourceCount = 3;

struct Resources {
  MilliGpu gpu;
  MilliCpu cpu;
  Mebibytes memory;

  constexpr bool operator==(const Resources&) const = default;
  constexpr Resources& operator+=(const Resources& o) {
    gpu += o.gpu;
    cpu += o.cpu;
    memory += o.memory;
    return *this;
  }
  constexpr Resources& operator-=(const Resources& o) {
    gpu -= o.gpu;
    cpu -= o.cpu;
    memory -= o.memory;
    return *this;
  }
  friend constexpr Resources operator+(Resources a, const Resources& b) { return a += b; }
  friend constexpr Resources operator-(Resources a, const Resources& b) { return a -= b; }
  friend constexpr Resources operator*(const Resources& a, std::int64_t n) {
    return {a.gpu * n, a.cpu * n, a.memory * n};
  }

  // The amounts in the order GPU, CPU, memory, for code that treats them alike.
  constexpr std::array<std::int64_t, kResourceCount> Values() const {
    return {gpu.value, cpu.value, memory.value};
  }
  static constexpr Resources From(const std::array<std::int64_t, kResourceCount>& values) {
    return {MilliGpu(values[0]), MilliCpu(values[1]), Mebibytes(values[2])};
  }
};

inline constexpr Resources kUnlimitedResources{MilliGpu(kUnlimited), MilliCpu(kUnlimited),
                                               Mebibytes(kUnlimited)};

// True if `amount` stays within `bound` in every resource; an unlimited bound always holds.
constexpr bool Within(const Resources& amount, const Resources& bound) {
  const auto a = amount.Values();
  const auto b = bound.Values();
  for (int r = 0; r < kResourceCount; ++r) {
    if (b[r] != kUnlimited && a[r] > b[r]) return false;
  }
  return true;
}

}  // namespace yard::sched
