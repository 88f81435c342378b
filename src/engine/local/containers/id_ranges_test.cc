#include "engine/local/containers/id_ranges.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::engine::containers {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class IdRangesTest : public ::testing::Test {
 protected:
  IdRangesTest() {
    char name[] = "/tmp/gpuyard-ids-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~IdRangesTest() override { fs::remove_all(folder_); }

  std::string file() const { return folder_ / "container-ids"; }
  std::unique_ptr<IdRanges> Open() const { return std::make_unique<IdRanges>(file()); }

  fs::path folder_;
};

TEST_F(IdRangesTest, AProjectKeepsItsRangeOverRestarts) {
  const IdRange vision = *Open()->Of("vision");
  EXPECT_EQ(Open()->Of("speech")->first == vision.first, false);
  EXPECT_EQ(Open()->Of("vision")->first, vision.first);
  EXPECT_GE(vision.first, 0x7000'0000U);
}

TEST_F(IdRangesTest, NoTwoProjectsShareOneUntilAllAreTaken) {
  std::unique_ptr<IdRanges> ranges = Open();
  std::set<std::uint32_t> firsts;
  for (std::uint32_t i = 0; i < kIdRanges; ++i) {
    const IdRange range = *ranges->Of(fmt::format("project-{}", i));
    EXPECT_LE(range.first, 0x7800'0000U - kIdsOfContainer);
    EXPECT_EQ(range.first % kIdsOfContainer, 0U);
    EXPECT_TRUE(firsts.insert(range.first).second) << i;
  }
  Result<IdRange> one_more = ranges->Of("one-more");
  ASSERT_FALSE(one_more);
  EXPECT_THAT(one_more.error().message, HasSubstr("all 2048 ranges"));
  EXPECT_TRUE(ranges->Of("project-7"));
}

TEST_F(IdRangesTest, ALineThatWasNeverFinishedDoesNotCount) {
  const IdRange vision = *Open()->Of("vision");
  std::ofstream(file(), std::ios::app) << "12 spee";
  EXPECT_EQ(Open()->Of("vision")->first, vision.first);
  std::ifstream in(file());
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(text, ::testing::Not(HasSubstr("spee")));
}

TEST_F(IdRangesTest, ADamagedFileIsToldOf) {
  std::ofstream(file()) << "9999 vision\n";
  Result<IdRange> range = Open()->Of("vision");
  ASSERT_FALSE(range);
  EXPECT_THAT(range.error().message, HasSubstr("damaged"));
}

}  // namespace
}  // namespace yard::engine::containers
