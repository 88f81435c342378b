// A column of 64-bit integers, packed in frames of 128.
//
// A frame keeps its median and, for each number, the distance from it in as many bits as most of
// them need; the few that need more are listed after the frame. A column holds either the numbers
// or their differences, whichever is smaller. Regular steps and constant values take no bits at
// all. Differences wrap around, so every number of 64 bits is allowed. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/bytes.h"

namespace yard::store {

// Appends the packed column.
void PackIntegers(std::span<const std::int64_t> values, std::string& out);

// Fills `values`, which has the size of the packed column; false if the bytes are not a column.
bool UnpackIntegers(ByteReader& reader, std::span<std::int64_t> values);

}  // namespace yard::store
