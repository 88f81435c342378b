#include "base/bytes.h"

#include <gtest/gtest.h>

#include "base/crc32c.h"

namespace yard {
namespace {

TEST(Bytes, VarintsOfEverySizeComeBack) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    std::string text;
    std::uint64_t value = std::uint64_t{1} << bits;
    AppendVarint(text, value);
    AppendVarint(text, value - 1);
    ByteReader reader(text);
    EXPECT_EQ(reader.Varint(), value);
    EXPECT_EQ(reader.Varint(), value - 1);
    EXPECT_TRUE(reader.empty());
  }
}

TEST(Bytes, AVarintWithoutEndIsNothing) {
  EXPECT_EQ(ByteReader("\x80").Varint(), std::nullopt);
  EXPECT_EQ(ByteReader(std::string(20, '\xff')).Varint(), std::nullopt);
  EXPECT_EQ(ByteReader("").Varint(), std::nullopt);
}

TEST(Bytes, MoreThanThereIsCannotBeTaken) {
  ByteReader reader("abc");
  EXPECT_EQ(reader.Take(4), std::nullopt);
  EXPECT_EQ(reader.Take(UINT64_MAX), std::nullopt);
  EXPECT_EQ(reader.Fixed64(), std::nullopt);
  EXPECT_EQ(reader.Take(3), "abc");
}

TEST(Bytes, SignedNumbersFoldAndUnfold) {
  EXPECT_EQ(ZigZag(-1), 1u);
  EXPECT_EQ(ZigZag(1), 2u);
  for (std::int64_t value : {INT64_MIN, INT64_C(-7), INT64_C(0), INT64_C(9), INT64_MAX}) {
    EXPECT_EQ(UnZigZag(ZigZag(value)), value);
  }
}

TEST(Crc32c, HasThePublishedValues) {
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62A8AB43u);
}

TEST(Crc32c, GoesOnWhereItStopped) {
  std::string text = "a metric, its steps and its values";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    std::string_view all = text;
    EXPECT_EQ(Crc32c(all.substr(cut), Crc32c(all.substr(0, cut))), Crc32c(all));
  }
}

}  // namespace
}  // namespace yard
