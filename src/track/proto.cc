#include "track/proto.h"

namespace yard::track {
namespace {

void AppendKey(std::string& out, std::uint32_t number, WireType type) {
  AppendVarint(out, (static_cast<std::uint64_t>(number) << 3) | static_cast<std::uint64_t>(type));
}

}  // namespace

bool FieldReader::ReadValue(Field& field) {
  std::optional<std::uint64_t> integer;
  switch (field.type) {
    case WireType::kVarint:
      integer = reader_.Varint();
      break;
    case WireType::kFixed64:
      integer = reader_.Fixed64();
      break;
    case WireType::kFixed32:
      integer = reader_.Fixed32();
      break;
    case WireType::kBytes: {
      auto bytes = reader_.Sized();
      field.bytes = bytes.value_or("");
      return bytes.has_value();
    }
    default:
      return false;
  }
  field.integer = integer.value_or(0);
  return integer.has_value();
}

std::optional<Field> FieldReader::Next() {
  if (!whole_ || reader_.empty()) return std::nullopt;
  auto key = reader_.Varint();
  Field field;
  if (key) {
    field.number = static_cast<std::uint32_t>(*key >> 3);
    field.type = static_cast<WireType>(*key & 7);
  }
  whole_ = key && field.number != 0 && ReadValue(field);
  return whole_ ? std::optional(field) : std::nullopt;
}

void TakeDoubles(const Field& field, std::vector<double>& out) {
  if (field.type == WireType::kFixed64) out.push_back(field.AsDouble());
  if (field.type != WireType::kBytes) return;
  ByteReader reader(field.bytes);
  while (auto bits = reader.Fixed64()) out.push_back(std::bit_cast<double>(*bits));
}

void TakeFloats(const Field& field, std::vector<double>& out) {
  if (field.type == WireType::kFixed32) out.push_back(field.AsFloat());
  if (field.type != WireType::kBytes) return;
  ByteReader reader(field.bytes);
  while (auto bits = reader.Fixed32()) out.push_back(std::bit_cast<float>(*bits));
}

void TakeIntegers(const Field& field, std::vector<std::int64_t>& out) {
  if (field.type == WireType::kVarint) out.push_back(field.AsInt());
  if (field.type != WireType::kBytes) return;
  ByteReader reader(field.bytes);
  while (!reader.empty()) {
    auto value = reader.Varint();
    if (!value) return;
    out.push_back(static_cast<std::int64_t>(*value));
  }
}

void AppendVarintField(std::string& out, std::uint32_t number, std::uint64_t value) {
  AppendKey(out, number, WireType::kVarint);
  AppendVarint(out, value);
}

void AppendDoubleField(std::string& out, std::uint32_t number, double value) {
  AppendKey(out, number, WireType::kFixed64);
  AppendFixed64(out, std::bit_cast<std::uint64_t>(value));
}

void AppendFloatField(std::string& out, std::uint32_t number, float value) {
  AppendKey(out, number, WireType::kFixed32);
  AppendFixed32(out, std::bit_cast<std::uint32_t>(value));
}

void AppendBytesField(std::string& out, std::uint32_t number, std::string_view bytes) {
  AppendKey(out, number, WireType::kBytes);
  AppendSized(out, bytes);
}

}  // namespace yard::track
