// A column of doubles, bit for bit: as integers that sort alike, packed as such.
//
// Several readings of a number are tried on the whole column and the smallest is kept: the decimal
// number it was rounded to, the 32-bit float it came from, the double itself. Pure.
#pragma once

#include <span>
#include <string>

#include "base/bytes.h"

namespace yard::store {

void PackValues(std::span<const double> values, std::string& out);

// Fills `values`, which has the size of the packed column; false if the bytes are not a column.
bool UnpackValues(ByteReader& reader, std::span<double> values);

}  // namespace yard::store
