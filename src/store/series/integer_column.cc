#include "store/series/integer_column.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace yard::store {
namespace {

constexpr std::size_t kFrame = 128;
// One load of eight bytes at any bit holds a number of this many bits.
constexpr unsigned kMaxWidth = 56;
constexpr unsigned kWholeWidth = 64;

enum Form : char { kNumbers = 0, kDifferences = 1 };

using Offsets = std::array<std::uint64_t, kFrame>;

unsigned WidthOf(std::uint64_t value) {
  return static_cast<unsigned>(std::bit_width(value));
}

std::uint64_t MaskOf(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

std::size_t PackedBytes(std::size_t count, unsigned width) {
  return (count * width + 7) / 8;
}

// The width with the fewest bytes, counting an exception as its place and its upper bits.
unsigned ChooseWidth(std::span<const std::uint64_t> offsets) {
  std::array<std::size_t, 65> of_width{};
  for (std::uint64_t offset : offsets) ++of_width[WidthOf(offset)];
  unsigned best = kWholeWidth;
  std::size_t best_bytes = PackedBytes(offsets.size(), kWholeWidth);
  for (unsigned width = 0; width <= kMaxWidth; ++width) {
    std::size_t bytes = PackedBytes(offsets.size(), width);
    for (unsigned wider = width + 1; wider <= 64; ++wider) {
      bytes += of_width[wider] * (1 + (wider - width + 6) / 7);
    }
    if (bytes >= best_bytes) continue;
    best = width;
    best_bytes = bytes;
  }
  return best;
}

void PackBits(std::span<const std::uint64_t> offsets, unsigned width, std::string& out) {
  std::size_t start = out.size();
  out.resize(start + PackedBytes(offsets.size(), width) + 8);  // room for whole words
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    std::size_t bit = i * width;
    char* at = out.data() + start + bit / 8;
    std::uint64_t word = LoadFixed64(at) | (offsets[i] & MaskOf(width)) << (bit % 8);
    std::memcpy(at, &word, sizeof word);
  }
  out.resize(out.size() - 8);
}

void PackExceptions(std::span<const std::uint64_t> offsets, unsigned width, std::string& out) {
  std::size_t count_at = out.size();
  out.push_back(0);
  std::uint8_t count = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (WidthOf(offsets[i]) <= width) continue;
    out.push_back(static_cast<char>(i));
    AppendVarint(out, offsets[i] >> width);
    ++count;
  }
  out[count_at] = static_cast<char>(count);
}

void PackFrame(std::span<const std::int64_t> values, std::string& out) {
  std::array<std::int64_t, kFrame> sorted{};
  std::ranges::copy(values, sorted.begin());
  auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(sorted.begin(), middle,
                   sorted.begin() + static_cast<std::ptrdiff_t>(values.size()));
  auto median = static_cast<std::uint64_t>(*middle);
  Offsets offsets{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    offsets[i] = ZigZag(static_cast<std::int64_t>(static_cast<std::uint64_t>(values[i]) - median));
  }
  std::span used(offsets.data(), values.size());
  unsigned width = ChooseWidth(used);
  AppendVarint(out, ZigZag(*middle));
  out.push_back(static_cast<char>(width));
  PackBits(used, width, out);
  PackExceptions(used, width, out);
}

void PackFrames(std::span<const std::int64_t> values, std::string& out) {
  for (std::size_t at = 0; at < values.size(); at += kFrame) {
    PackFrame(values.subspan(at, std::min(kFrame, values.size() - at)), out);
  }
}

std::vector<std::int64_t> Differences(std::span<const std::int64_t> values) {
  std::vector<std::int64_t> differences(values.size() - 1);
  for (std::size_t i = 1; i < values.size(); ++i) {
    differences[i - 1] = static_cast<std::int64_t>(static_cast<std::uint64_t>(values[i]) -
                                                   static_cast<std::uint64_t>(values[i - 1]));
  }
  return differences;
}

void UnpackBits(const char* packed, unsigned width, std::uint64_t median,
                std::span<std::int64_t> values) {
  std::uint64_t mask = MaskOf(width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t bit = i * width;
    std::uint64_t offset = (LoadFixed64(packed + bit / 8) >> (bit % 8)) & mask;
    values[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(UnZigZag(offset)) + median);
  }
}

bool UnpackExceptions(ByteReader& reader, unsigned width, std::uint64_t median,
                      std::span<std::int64_t> values) {
  auto count = reader.Take(1);
  if (!count) return false;
  for (auto left = static_cast<unsigned char>(count->front()); left > 0; --left) {
    auto place = reader.Take(1);
    auto upper = reader.Varint();
    if (!place || !upper || width > kMaxWidth) return false;
    auto index = static_cast<unsigned char>(place->front());
    if (index >= values.size()) return false;
    std::uint64_t lower =
        ZigZag(static_cast<std::int64_t>(static_cast<std::uint64_t>(values[index]) - median)) &
        MaskOf(width);
    std::uint64_t offset = (*upper << width) | lower;
    values[index] =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(UnZigZag(offset)) + median);
  }
  return true;
}

bool UnpackFrame(ByteReader& reader, std::span<std::int64_t> values) {
  auto middle = reader.Varint();
  auto width_byte = reader.Take(1);
  if (!middle || !width_byte) return false;
  auto width = static_cast<unsigned>(static_cast<unsigned char>(width_byte->front()));
  if (width > kMaxWidth && width != kWholeWidth) return false;
  auto median = static_cast<std::uint64_t>(UnZigZag(*middle));
  auto packed = reader.Take(PackedBytes(values.size(), width));
  if (!packed) return false;
  if (reader.left().size() >= 8) {
    UnpackBits(packed->data(), width, median, values);
  } else {  // near the end whole words are read from a copy
    std::array<char, kFrame * 8 + 8> copy{};
    std::ranges::copy(*packed, copy.begin());
    UnpackBits(copy.data(), width, median, values);
  }
  return UnpackExceptions(reader, width, median, values);
}

}  // namespace

void PackIntegers(std::span<const std::int64_t> values, std::string& out) {
  if (values.empty()) return;
  std::string numbers(1, kNumbers);
  PackFrames(values, numbers);
  std::string differences(1, kDifferences);
  AppendVarint(differences, ZigZag(values.front()));
  PackFrames(Differences(values), differences);
  out += differences.size() <= numbers.size() ? differences : numbers;
}

bool UnpackIntegers(ByteReader& reader, std::span<std::int64_t> values) {
  if (values.empty()) return true;
  auto form = reader.Take(1);
  if (!form || (form->front() != kNumbers && form->front() != kDifferences)) return false;
  std::span<std::int64_t> framed = values;
  if (form->front() == kDifferences) {
    auto first = reader.Varint();
    if (!first) return false;
    values.front() = UnZigZag(*first);
    framed = values.subspan(1);
  }
  for (std::size_t at = 0; at < framed.size(); at += kFrame) {
    if (!UnpackFrame(reader, framed.subspan(at, std::min(kFrame, framed.size() - at))))
      return false;
  }
  if (form->front() == kNumbers) return true;
  auto sum = static_cast<std::uint64_t>(values.front());
  for (std::int64_t& value : framed) {
    sum += static_cast<std::uint64_t>(value);
    value = static_cast<std::int64_t>(sum);
  }
  return true;
}

}  // namespace yard::store
