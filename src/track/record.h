// TensorBoard's record framing: length, checksum of the length, bytes, checksum of the bytes.
//
// A file grows while it is read. A record that is not whole yet is no error: its reader comes back
// with more bytes. A checksum that does not fit ends the file for good. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace yard::track {

// CRC-32C, turned and shifted, as files of records store it.
std::uint32_t MaskedCrc(std::string_view bytes);

enum class RecordState { kWhole, kPartial, kDamaged };

struct Record {
  RecordState state = RecordState::kPartial;
  std::string_view payload;  // of a whole record
  std::uint64_t size = 0;  // of the record with its frame; of a partial one what it needs at least
};

// Longer ones are taken as damaged: nothing that is drawn is as large.
constexpr std::uint64_t kMaxRecordBytes = 256 << 20;

// The record at the beginning of `bytes`.
Record ReadRecord(std::string_view bytes);

void AppendRecord(std::string& out, std::string_view payload);

}  // namespace yard::track
