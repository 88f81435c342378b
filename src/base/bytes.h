// Numbers as bytes: fixed width (little-endian) and varints of seven bits a byte, as Protocol
// Buffers has them. Pure. A ByteReader never reads beyond its text: it answers nothing instead.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace yard {

static_assert(std::endian::native == std::endian::little, "written for little-endian processors");

inline std::uint32_t LoadFixed32(const char* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline std::uint64_t LoadFixed64(const char* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline void AppendFixed32(std::string& out, std::uint32_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void AppendFixed64(std::string& out, std::uint64_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void AppendVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Length, then the bytes.
inline void AppendSized(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

// Small numbers of either sign become small numbers.
constexpr std::uint64_t ZigZag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

constexpr std::int64_t UnZigZag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1)));
}

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  bool empty() const { return left_.empty(); }
  std::string_view left() const { return left_; }

  std::optional<std::string_view> Take(std::uint64_t size) {
    if (size > left_.size()) return std::nullopt;
    std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  std::optional<std::uint32_t> Fixed32() {
    auto bytes = Take(4);
    return bytes ? std::optional(LoadFixed32(bytes->data())) : std::nullopt;
  }
  std::optional<std::uint64_t> Fixed64() {
    auto bytes = Take(8);
    return bytes ? std::optional(LoadFixed64(bytes->data())) : std::nullopt;
  }
  std::optional<std::uint64_t> Varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
      auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }
  std::optional<std::string_view> Sized() {
    auto size = Varint();
    return size ? Take(*size) : std::nullopt;
  }

 private:
  std::string_view left_;
};

}  // namespace yard
