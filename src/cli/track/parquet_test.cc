// How the bytes are laid out. That real readers take the files is shown by tests/reports.
#include "cli/track/parquet.h"

#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

namespace yard::cli {
namespace {

std::size_t FootSize(std::string_view file) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    size |= static_cast<std::size_t>(static_cast<std::uint8_t>(file[file.size() - 8 + i])) << 8 * i;
  }
  return size;
}

TEST(Parquet, BeginsAndEndsWithItsMarkAndNamesItsFoot) {
  std::string file = RenderParquet({{"loss", ParquetValues<double>{0.5, std::nullopt}}});
  EXPECT_TRUE(file.starts_with("PAR1"));
  EXPECT_TRUE(file.ends_with("PAR1"));
  std::string_view foot = std::string_view(file).substr(file.size() - 8 - FootSize(file));
  EXPECT_TRUE(foot.starts_with("\x15\x02"));  // field 1, a whole number: 1
  EXPECT_NE(foot.find("loss"), std::string_view::npos);
}

TEST(Parquet, SaysWhichRowsHaveAValue) {
  std::string file = RenderParquet({{"n", ParquetValues<std::int64_t>{7, std::nullopt, -1}}});
  // One run of eight bits: rows 0 and 2; then the two numbers.
  std::string page("\x02\0\0\0\x03\x05\x07\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 22);
  EXPECT_NE(file.find(page), std::string::npos);
}

TEST(Parquet, OfNothingIsStillAFile) {
  std::string file = RenderParquet({{"a", ParquetValues<std::string>{}}});
  EXPECT_EQ(file.size(), 4 + FootSize(file) + 8);
}

}  // namespace
}  // namespace yard::cli
