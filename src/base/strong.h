// Strong types over integers: ids that cannot be mixed up, quantities that carry their unit.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace yard {

// An identity: comparable and hashable, no arithmetic.
template <class Tag, class Rep = std::int64_t>
struct StrongId {
  Rep value{};
  constexpr StrongId() = default;
  constexpr explicit StrongId(Rep v) : value(v) {}
  constexpr auto operator<=>(const StrongId&) const = default;
};

// An amount: additive, comparable, scalable by a plain integer. Never a floating-point number.
template <class Tag>
struct Quantity {
  std::int64_t value = 0;
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t v) : value(v) {}
  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity o) {
    value += o.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity o) {
    value -= o.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, std::int64_t n) { return Quantity(a.value * n); }
};

}  // namespace yard

template <class Tag, class Rep>
struct std::hash<yard::StrongId<Tag, Rep>> {
  std::size_t operator()(const yard::StrongId<Tag, Rep>& id) const {
    return std::hash<Rep>{}(id.value);
  }
};
