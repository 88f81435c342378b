// Protocol Buffers on the wire, as much as event files need: a walk over the fields of a message,
// and fields appended to one. Unknown fields are passed over. Pure.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace yard::track {

enum class WireType : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// One field; which of the values counts is told by the type.
struct Field {
  std::uint32_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t integer = 0;  // varint and fixed types
  std::string_view bytes;

  bool IsBytes(std::uint32_t wanted) const { return number == wanted && type == WireType::kBytes; }
  bool IsVarint(std::uint32_t wanted) const {
    return number == wanted && type == WireType::kVarint;
  }
  bool IsDouble(std::uint32_t wanted) const {
    return number == wanted && type == WireType::kFixed64;
  }
  bool IsFloat(std::uint32_t wanted) const {
    return number == wanted && type == WireType::kFixed32;
  }

  double AsDouble() const { return std::bit_cast<double>(integer); }
  float AsFloat() const { return std::bit_cast<float>(static_cast<std::uint32_t>(integer)); }
  std::int64_t AsInt() const { return static_cast<std::int64_t>(integer); }
};

class FieldReader {
 public:
  explicit FieldReader(std::string_view message) : reader_(message) {}

  // The next field; nothing at the end and at bytes that are no message.
  std::optional<Field> Next();
  // False once such bytes were met.
  bool whole() const { return whole_; }

 private:
  bool ReadValue(Field& field);

  ByteReader reader_;
  bool whole_ = true;
};

// The numbers of a repeated field: alone, or many packed into one.
void TakeDoubles(const Field& field, std::vector<double>& out);
void TakeFloats(const Field& field, std::vector<double>& out);
void TakeIntegers(const Field& field, std::vector<std::int64_t>& out);

void AppendVarintField(std::string& out, std::uint32_t number, std::uint64_t value);
void AppendDoubleField(std::string& out, std::uint32_t number, double value);
void AppendFloatField(std::string& out, std::uint32_t number, float value);
void AppendBytesField(std::string& out, std::uint32_t number, std::string_view bytes);

}  // namespace yard::track
