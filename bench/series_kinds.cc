#include "bench/series_kinds.h"

#include <zstd.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/bytes.h"
#include "base/random.h"
#include "store/series/block.h"

namespace yard::store {
namespace {

constexpr std::int64_t kStart = 1'760'000'000'000'000;

class Source {
 public:
  double Uniform() { return static_cast<double>(random_.Next() >> 11) * 0x1p-53; }
  double Normal() {
    return std::sqrt(-2 * std::log(1 - Uniform())) * std::cos(6.283185307179586 * Uniform());
  }

 private:
  SeededRandom random_{11};
};

enum class ClockUnit : std::int64_t { kMicros = 1, kMillis = 1000, kSeconds = 1'000'000 };

// A step takes 50 ms, give or take one; a checkpoint every 1,000 steps takes two seconds.
template <class Value>
std::vector<MetricPoint> Steps(std::size_t count, ClockUnit unit, Value value) {
  Source source;
  std::vector<MetricPoint> points;
  points.reserve(count);
  double now = 0;
  auto round = static_cast<std::int64_t>(unit);
  for (std::size_t i = 0; i < count; ++i) {
    now += unit == ClockUnit::kSeconds ? 1e6 : 50'000 + 1000 * source.Normal();
    if (i % 1000 == 999 && unit != ClockUnit::kSeconds) now += 2e6;
    std::int64_t micros = kStart + static_cast<std::int64_t>(now);
    points.push_back({.step = static_cast<std::int64_t>(i),
                      .time = Time{micros / round * round},
                      .value = value(source, static_cast<double>(i))});
  }
  return points;
}

double Float(double value) {
  return static_cast<double>(static_cast<float>(value));
}

double Loss(Source& source, double i) {
  return (0.3 + 2 / (1 + i / 2000)) * (1 + 0.05 * source.Normal());
}

constexpr std::array kKinds{
    MetricKind{"loss, float32, ms clock",
               [](std::size_t n) {
                 return Steps(n, ClockUnit::kMillis,
                              [](Source& s, double i) { return Float(Loss(s, i)); });
               }},
    MetricKind{"loss, float32, us clock",
               [](std::size_t n) {
                 return Steps(n, ClockUnit::kMicros,
                              [](Source& s, double i) { return Float(Loss(s, i)); });
               }},
    MetricKind{"loss, float64, ms clock",
               [](std::size_t n) { return Steps(n, ClockUnit::kMillis, Loss); }},
    MetricKind{"loss printed with 4 digits, ms clock",
               [](std::size_t n) {
                 return Steps(n, ClockUnit::kMillis, [](Source& s, double i) {
                   return std::round(Loss(s, i) * 1e4) / 1e4;
                 });
               }},
    MetricKind{"reward around zero, float32, ms clock",
               [](std::size_t n) {
                 return Steps(n, ClockUnit::kMillis,
                              [](Source& s, double) { return Float(0.1 * s.Normal()); });
               }},
    MetricKind{"learning rate, cosine, float64, ms clock",
               [](std::size_t n) {
                 return Steps(n, ClockUnit::kMillis, [n](Source&, double i) {
                   return 3e-4 * (1 + std::cos(3.14159265 * i / static_cast<double>(n))) / 2;
                 });
               }},
    MetricKind{"accuracy of 10,000 samples, ms clock",
               [](std::size_t n) {
                 return Steps(n, ClockUnit::kMillis, [](Source& s, double) {
                   return std::round(9000 + 50 * s.Normal()) / 10000;
                 });
               }},
    MetricKind{"GPU use in percent, each second",
               [](std::size_t n) {
                 return Steps(n, ClockUnit::kSeconds, [](Source& s, double) {
                   return std::min(100.0, std::round(96 + 3 * s.Normal()));
                 });
               }},
};

class BitWriter {
 public:
  void Put(std::uint64_t value, unsigned bits) {
    for (unsigned i = bits; i-- > 0;) {
      if (used_ % 8 == 0) bytes_.push_back(0);
      if (((value >> i) & 1) != 0) {
        bytes_.back() = static_cast<char>(bytes_.back() | (1 << (7 - used_ % 8)));
      }
      ++used_;
    }
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::size_t used_ = 0;
};

// Differences of differences, in the classes of the paper.
void PutIntegers(BitWriter& out, std::span<const std::int64_t> values) {
  std::int64_t before = 0;
  std::int64_t slope = 0;
  for (std::int64_t value : values) {
    std::uint64_t folded = ZigZag(value - before - slope);
    slope = value - before;
    before = value;
    if (folded == 0) {
      out.Put(0, 1);
    } else if (folded < 128) {
      out.Put(2, 2), out.Put(folded, 7);
    } else if (folded < 512) {
      out.Put(6, 3), out.Put(folded, 9);
    } else if (folded < 4096) {
      out.Put(14, 4), out.Put(folded, 12);
    } else {
      out.Put(15, 4), out.Put(folded, 64);
    }
  }
}

void PutValues(BitWriter& out, std::span<const MetricPoint> points) {
  std::uint64_t before = 0;
  unsigned leading = 65;
  unsigned trailing = 0;
  for (const MetricPoint& point : points) {
    auto bits = std::bit_cast<std::uint64_t>(point.value);
    std::uint64_t differs = bits ^ before;
    before = bits;
    if (differs == 0) {
      out.Put(0, 1);
      continue;
    }
    auto zeros_before = std::min(31U, static_cast<unsigned>(std::countl_zero(differs)));
    auto zeros_after = static_cast<unsigned>(std::countr_zero(differs));
    if (leading <= 64 && zeros_before >= leading && zeros_after >= trailing) {
      out.Put(2, 2);
    } else {
      leading = zeros_before;
      trailing = zeros_after;
      out.Put(3, 2), out.Put(leading, 5), out.Put(64 - leading - trailing - 1, 6);
    }
    out.Put(differs >> trailing, 64 - leading - trailing);
  }
}

std::string Gorilla(std::span<const MetricPoint> points) {
  BitWriter out;
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> times;
  for (const MetricPoint& point : points) {
    steps.push_back(point.step);
    times.push_back(point.time.micros % 1000 == 0 ? point.time.micros / 1000 : point.time.micros);
  }
  PutIntegers(out, steps);
  PutIntegers(out, times);
  PutValues(out, points);
  return out.bytes();
}

std::size_t ZstdBytes(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  return ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1);
}

}  // namespace

std::span<const MetricKind> MetricKinds() {
  return kKinds;
}

std::size_t GorillaBytes(std::span<const MetricPoint> points) {
  return Gorilla(points).size();
}

std::size_t GorillaZstdBytes(std::span<const MetricPoint> points) {
  return ZstdBytes(Gorilla(points));
}

// Columns of bytes of equal weight, differences of steps and times, then zstd.
std::size_t ColumnsZstdBytes(std::span<const MetricPoint> points) {
  std::string columns;
  MetricPoint before;
  std::vector<std::array<std::uint64_t, 3>> rows;
  for (const MetricPoint& point : points) {
    rows.push_back({ZigZag(point.step - before.step),
                    ZigZag(point.time.micros - before.time.micros),
                    std::bit_cast<std::uint64_t>(point.value)});
    before = point;
  }
  for (std::size_t column = 0; column < 3; ++column) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      for (const auto& row : rows) columns.push_back(static_cast<char>(row[column] >> shift));
    }
  }
  return ZstdBytes(columns);
}

std::size_t OwnBytes(std::span<const MetricPoint> points) {
  PackedBlock block = PackBlock(points);
  return block.head.size() + block.body.size();
}

std::size_t OwnZstdBytes(std::span<const MetricPoint> points) {
  PackedBlock block = PackBlock(points);
  return block.head.size() + ZstdBytes(block.body);
}

}  // namespace yard::store
