#include "track/record.h"

#include "base/bytes.h"
#include "base/crc32c.h"

namespace yard::track {
namespace {

constexpr std::uint64_t kHeader = 12;
constexpr std::uint64_t kFooter = 4;
constexpr std::uint32_t kMaskDelta = 0xA282EAD8;

}  // namespace

std::uint32_t MaskedCrc(std::string_view bytes) {
  std::uint32_t crc = Crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + kMaskDelta;
}

Record ReadRecord(std::string_view bytes) {
  if (bytes.size() < kHeader) return {.state = RecordState::kPartial, .size = kHeader};
  std::uint64_t length = LoadFixed64(bytes.data());
  if (LoadFixed32(bytes.data() + 8) != MaskedCrc(bytes.substr(0, 8)) || length > kMaxRecordBytes) {
    return {.state = RecordState::kDamaged};
  }
  std::uint64_t size = kHeader + length + kFooter;
  if (bytes.size() < size) return {.state = RecordState::kPartial, .size = size};
  std::string_view payload = bytes.substr(kHeader, length);
  if (LoadFixed32(payload.data() + length) != MaskedCrc(payload)) {
    return {.state = RecordState::kDamaged};
  }
  return {.state = RecordState::kWhole, .payload = payload, .size = size};
}

void AppendRecord(std::string& out, std::string_view payload) {
  std::string length;
  AppendFixed64(length, payload.size());
  out += length;
  AppendFixed32(out, MaskedCrc(length));
  out += payload;
  AppendFixed32(out, MaskedCrc(payload));
}

}  // namespace yard::track
