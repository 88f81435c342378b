#include "store/series/value_column.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/metric.h"
#include "store/series/integer_column.h"

namespace yard::store {
namespace {

using Integers = std::vector<std::int64_t>;

// The first byte of a column. The "turned" forms keep the sign in the lowest bit: a line around
// zero needs the bits of its height only. From kDecimal on: decimal numbers with as many digits
// after the point.
constexpr int kDouble = 0;
constexpr int kFloat = 1;
constexpr int kTurnedDouble = 2;
constexpr int kTurnedFloat = 3;
constexpr int kDecimal = 4;

constexpr std::array kPowersOfTen = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
constexpr int kMaxDigits = static_cast<int>(kPowersOfTen.size()) - 1;
constexpr double kExact = 9007199254740992;  // 2^53: integers up to here are exact doubles

bool SameBits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// The value times ten to the power of `digits`, if that is an integer which leads back to it.
std::optional<std::int64_t> Scaled(double value, int digits) {
  double power = kPowersOfTen[static_cast<std::size_t>(digits)];
  double scaled = std::round(value * power);
  if (!(std::abs(scaled) < kExact)) return std::nullopt;
  auto integer = static_cast<std::int64_t>(scaled);  // which knows no -0
  if (!SameBits(static_cast<double>(integer) / power, value)) return std::nullopt;
  return integer;
}

// How many digits after the point every value gets along with.
std::optional<int> DigitsOf(std::span<const double> values) {
  int digits = 0;
  for (double value : values) {
    while (digits <= kMaxDigits && !Scaled(value, digits)) ++digits;
    if (digits > kMaxDigits) return std::nullopt;
  }
  return digits;
}

std::optional<Integers> AsDecimals(std::span<const double> values, int digits) {
  Integers integers;
  integers.reserve(values.size());
  for (double value : values) {
    auto scaled = Scaled(value, digits);
    // Rare: more digits were enough for one value and too many for another.
    if (!scaled) return std::nullopt;
    integers.push_back(*scaled);
  }
  return integers;
}

std::int64_t OrderedFloat(float value) {
  auto bits = std::bit_cast<std::int32_t>(value);
  return bits < 0 ? bits ^ INT32_MAX : bits;
}

float FromOrderedFloat(std::int64_t ordered) {
  auto bits = static_cast<std::int32_t>(ordered);
  return std::bit_cast<float>(bits < 0 ? bits ^ INT32_MAX : bits);
}

std::int64_t Turned(double value) {
  return static_cast<std::int64_t>(std::rotl(std::bit_cast<std::uint64_t>(value), 1));
}

double FromTurned(std::int64_t turned) {
  return std::bit_cast<double>(std::rotr(static_cast<std::uint64_t>(turned), 1));
}

std::int64_t TurnedFloat(float value) {
  return std::rotl(std::bit_cast<std::uint32_t>(value), 1);
}

float FromTurnedFloat(std::int64_t turned) {
  return std::bit_cast<float>(std::rotr(static_cast<std::uint32_t>(turned), 1));
}

bool IsFloat(double value) {
  // A double outside of a float's range has no float.
  if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max()) return false;
  return SameBits(static_cast<double>(static_cast<float>(value)), value);
}

bool HasBothSigns(std::span<const double> values) {
  auto negative = [](double value) { return std::signbit(value); };
  return std::ranges::any_of(values, negative) && !std::ranges::all_of(values, negative);
}

std::string Packed(int form, std::span<const std::int64_t> integers) {
  std::string out(1, static_cast<char>(form));
  PackIntegers(integers, out);
  return out;
}

template <class Read>
std::string PackedAs(int form, std::span<const double> values, Read read) {
  Integers integers;
  integers.reserve(values.size());
  for (double value : values) integers.push_back(read(value));
  return Packed(form, integers);
}

void KeepSmaller(std::string& best, std::string candidate) {
  if (best.empty() || candidate.size() < best.size()) best = std::move(candidate);
}

std::string PackedFloats(std::span<const double> values) {
  auto narrow = [](double value) { return static_cast<float>(value); };
  std::string best =
      PackedAs(kFloat, values, [&](double value) { return OrderedFloat(narrow(value)); });
  if (HasBothSigns(values)) {
    KeepSmaller(best, PackedAs(kTurnedFloat, values,
                               [&](double value) { return TurnedFloat(narrow(value)); }));
  }
  return best;
}

std::string PackedDoubles(std::span<const double> values) {
  std::string best = PackedAs(kDouble, values, OrderedBits);
  if (HasBothSigns(values)) KeepSmaller(best, PackedAs(kTurnedDouble, values, Turned));
  return best;
}

template <class Write>
void Unpacked(std::span<const std::int64_t> integers, std::span<double> values, Write write) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = write(integers[i]);
}

}  // namespace

void PackValues(std::span<const double> values, std::string& out) {
  std::string best;
  if (auto digits = DigitsOf(values)) {
    if (auto decimals = AsDecimals(values, *digits)) best = Packed(kDecimal + *digits, *decimals);
  }
  bool floats = std::ranges::all_of(values, IsFloat);
  KeepSmaller(best, floats ? PackedFloats(values) : PackedDoubles(values));
  out += best;
}

bool UnpackValues(ByteReader& reader, std::span<double> values) {
  auto form_byte = reader.Take(1);
  if (!form_byte) return false;
  int form = static_cast<unsigned char>(form_byte->front());
  Integers integers(values.size());
  if (form > kDecimal + kMaxDigits || !UnpackIntegers(reader, integers)) return false;
  switch (form) {
    case kDouble:
      Unpacked(integers, values, FromOrderedBits);
      return true;
    case kFloat:
      Unpacked(integers, values, FromOrderedFloat);
      return true;
    case kTurnedDouble:
      Unpacked(integers, values, FromTurned);
      return true;
    case kTurnedFloat:
      Unpacked(integers, values, FromTurnedFloat);
      return true;
    default:
      double power = kPowersOfTen[static_cast<std::size_t>(form - kDecimal)];
      Unpacked(integers, values,
               [=](std::int64_t integer) { return static_cast<double>(integer) / power; });
      return true;
  }
}

}  // namespace yard::store
