#include "store/series/block.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "base/random.h"

namespace yard::store {
namespace {

using Points = std::vector<MetricPoint>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What comes back is the same to the last bit.
std::size_t ExpectRoundTrip(const Points& points) {
  PackedBlock packed = PackBlock(points);
  auto head = ReadHead(packed.head);
  EXPECT_TRUE(head);
  Points back;
  EXPECT_TRUE(head && UnpackBlock(*head, packed.body, back));
  EXPECT_TRUE(back == points);
  EXPECT_EQ(head->outline, OutlineOf(points).outline);
  return packed.body.size();
}

double Noise(SeededRandom& random) {
  return static_cast<double>(random.Below(1'000'000)) / 1e6 - 0.5;
}

Points Training(std::size_t count, auto value) {
  Points points;
  for (std::size_t i = 0; i < count; ++i) {
    points.push_back({static_cast<std::int64_t>(i),
                      Time{1'760'000'000'000'000 + 50'000 * static_cast<std::int64_t>(i)},
                      value(i)});
  }
  return points;
}

TEST(Block, OnePointComesBack) {
  ExpectRoundTrip({{7, Time{1'760'000'000'123'456}, 0.25}});
}

TEST(Block, ExtremeStepsTimesAndValuesComeBack) {
  ExpectRoundTrip({{INT64_MIN, Time{INT64_MIN}, -kInfinity},
                   {-1, Time{INT64_MAX}, -0.0},
                   {0, Time{0}, 0.0},
                   {1, Time{-1}, std::numeric_limits<double>::denorm_min()},
                   {INT64_MAX, Time{INT64_MAX}, kInfinity},
                   {INT64_MAX, Time{INT64_MAX}, kNan}});
}

TEST(Block, ANumberBeyondFloatsAmongFloatsComesBack) {
  ExpectRoundTrip({{0, {}, 0.5}, {1, {}, 1e300}, {2, {}, -1e300}, {3, {}, 3.5e38}});
}

TEST(Block, RegularStepsAndAConstantTakeNoBits) {
  EXPECT_LT(ExpectRoundTrip(Training(4096, [](std::size_t) { return 3e-4; })), 500u);
}

TEST(Block, RoundedNumbersTakeTheirDigits) {
  SeededRandom random(1);
  std::size_t bytes = ExpectRoundTrip(Training(
      4096, [&](std::size_t) { return static_cast<double>(random.Below(10'000)) / 10'000; }));
  EXPECT_LT(bytes, 4096u * 2);
}

TEST(Block, FloatsTakeHalfOfDoubles) {
  SeededRandom random(2);
  std::size_t doubles = ExpectRoundTrip(Training(4096, [&](std::size_t i) {
    return 1 / (1.0 + static_cast<double>(i)) + 0.1 * Noise(random) / 3;
  }));
  std::size_t floats = ExpectRoundTrip(Training(4096, [&](std::size_t i) {
    return static_cast<double>(
        static_cast<float>(1 / (1.0 + static_cast<double>(i)) + 0.1 * Noise(random) / 3));
  }));
  EXPECT_LT(floats, 4096u * 4);
  EXPECT_LT(floats, doubles * 6 / 10);
}

TEST(Block, AFewPausesDoNotWidenTheOtherTimes) {
  Points points = Training(4096, [](std::size_t i) { return static_cast<double>(i % 8); });
  std::size_t even = ExpectRoundTrip(points);
  std::int64_t paused = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % 100 == 50) paused += 9'000'000;
    points[i].time.micros += paused;
  }
  EXPECT_LT(ExpectRoundTrip(points), even + 41 * 8);
}

TEST(Block, AnyBitsComeBack) {
  SeededRandom random(3);
  for (int round = 0; round < 200; ++round) {
    Points points;
    std::size_t count = 1 + random.Below(600);
    unsigned step_bits = static_cast<unsigned>(random.Below(64));
    unsigned value_bits = static_cast<unsigned>(random.Below(64));
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back({static_cast<std::int64_t>(random.Next() >> step_bits),
                        Time{static_cast<std::int64_t>(random.Next() >> random.Below(64))},
                        std::bit_cast<double>(random.Next() << value_bits)});
    }
    std::ranges::sort(points);
    ExpectRoundTrip(points);
  }
}

TEST(Block, EveryFlippedBitIsFound) {
  PackedBlock packed =
      PackBlock(Training(300, [](std::size_t i) { return std::sin(static_cast<double>(i)); }));
  auto head = ReadHead(packed.head);
  ASSERT_TRUE(head);
  Points back;
  for (std::size_t bit = 0; bit < packed.body.size() * 8; bit += 7) {
    std::string body = packed.body;
    body[bit / 8] = static_cast<char>(body[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(UnpackBlock(*head, body, back));
  }
  for (std::size_t bit = 0; bit < packed.head.size() * 8; ++bit) {
    std::string bytes = packed.head;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(ReadHead(bytes));
  }
}

TEST(Block, BytesThatAreNoBlockAreRefusedWithARightChecksumToo) {
  SeededRandom random(4);
  Points back;
  for (int round = 0; round < 2000; ++round) {
    PackedBlock packed = PackBlock(Training(200, [&](std::size_t) { return Noise(random); }));
    auto head = ReadHead(packed.head);
    std::string body = packed.body.substr(0, random.Below(packed.body.size()));
    for (int i = 0; i < 3 && !body.empty(); ++i) {
      body[random.Below(body.size())] = static_cast<char>(random.Below(256));
    }
    head->body_crc = Crc32c(body);
    (void)UnpackBlock(*head, body, back);  // must not read beyond the bytes
  }
}

}  // namespace
}  // namespace yard::store
