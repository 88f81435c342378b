#include "track/tensor.h"

#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "track/proto.h"

namespace yard::track {
namespace {

// Types by their numbers on the wire.
enum Type : std::int64_t {
  kFloat = 1,
  kDouble = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kInt64 = 9,
  kBool = 10,
  kBfloat16 = 14,
  kUint16 = 17,
  kHalf = 19,
  kUint32 = 22,
  kUint64 = 23,
};

double HalfValue(std::uint16_t bits) {
  int exponent = (bits >> 10) & 0x1F;
  int mantissa = bits & 0x3FF;
  double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0x1F) return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

double BfloatValue(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <class T, class Convert>
void TakeRaw(std::string_view bytes, std::vector<double>& out, Convert convert) {
  for (; bytes.size() >= sizeof(T); bytes.remove_prefix(sizeof(T))) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    out.push_back(static_cast<double>(convert(value)));
  }
}

template <class T>
void TakeRaw(std::string_view bytes, std::vector<double>& out) {
  TakeRaw<T>(bytes, out, [](T value) { return value; });
}

void TakeContent(std::int64_t type, std::string_view bytes, std::vector<double>& out) {
  switch (type) {
    case kFloat:
      return TakeRaw<float>(bytes, out);
    case kDouble:
      return TakeRaw<double>(bytes, out);
    case kInt32:
      return TakeRaw<std::int32_t>(bytes, out);
    case kUint8:
    case kBool:
      return TakeRaw<std::uint8_t>(bytes, out);
    case kInt16:
      return TakeRaw<std::int16_t>(bytes, out);
    case kInt8:
      return TakeRaw<std::int8_t>(bytes, out);
    case kInt64:
      return TakeRaw<std::int64_t>(bytes, out);
    case kUint16:
      return TakeRaw<std::uint16_t>(bytes, out);
    case kUint32:
      return TakeRaw<std::uint32_t>(bytes, out);
    case kUint64:
      return TakeRaw<std::uint64_t>(bytes, out);
    case kHalf:
      return TakeRaw<std::uint16_t>(bytes, out, HalfValue);
    case kBfloat16:
      return TakeRaw<std::uint16_t>(bytes, out, BfloatValue);
    default:
      return;
  }
}

std::vector<std::int64_t> ReadShape(std::string_view message) {
  std::vector<std::int64_t> shape;
  FieldReader fields(message);
  while (auto field = fields.Next()) {
    if (!field->IsBytes(2)) continue;
    std::int64_t size = 0;
    FieldReader dimension(field->bytes);
    while (auto part = dimension.Next()) {
      if (part->IsVarint(1)) size = part->AsInt();
    }
    shape.push_back(size);
  }
  return shape;
}

void TakeListed(const Field& field, std::int64_t type, std::vector<double>& out) {
  if (field.number == 5) return TakeFloats(field, out);
  if (field.number == 6) return TakeDoubles(field, out);
  std::vector<std::int64_t> integers;
  TakeIntegers(field, integers);
  for (std::int64_t integer : integers) {
    auto bits = static_cast<std::uint16_t>(integer);
    if (field.number != 13) {
      out.push_back(static_cast<double>(integer));
    } else {
      out.push_back(type == kHalf ? HalfValue(bits) : BfloatValue(bits));
    }
  }
}

bool IsListOfNumbers(std::uint32_t number) {
  return number == 5 || number == 6 || number == 7 || number == 10 || number == 11 ||
         number == 13 || number == 16 || number == 17;
}

}  // namespace

Tensor ReadTensor(std::string_view message) {
  Tensor tensor;
  std::int64_t type = 0;
  FieldReader fields(message);
  while (auto field = fields.Next()) {
    if (field->IsVarint(1)) type = field->AsInt();
    if (field->IsBytes(2)) tensor.shape = ReadShape(field->bytes);
    if (field->IsBytes(4)) TakeContent(type, field->bytes, tensor.numbers);
    if (field->IsBytes(8)) tensor.texts.emplace_back(field->bytes);
    if (IsListOfNumbers(field->number)) TakeListed(*field, type, tensor.numbers);
  }
  return tensor;
}

}  // namespace yard::track
