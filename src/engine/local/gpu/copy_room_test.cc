#include "engine/local/gpu/copy_room.h"

#include <gmock/gmock.h>

namespace yard::engine {
namespace {

using ::testing::HasSubstr;

TEST(CopyRoom, IsThereWhereNothingLimitsIt) {
  EXPECT_TRUE(CheckCopyFits({.held = Mebibytes(80'000)}));
}

TEST(CopyRoom, IsWhatTheLimitLeaves) {
  CopyRoom room{.held = Mebibytes(1000), .limit = Mebibytes(3114), .used = Mebibytes(2000)};
  EXPECT_TRUE(CheckCopyFits(room)) << "5 % and 64 MiB more than it holds";
  room.used = Mebibytes(2001);
  const Status fits = CheckCopyFits(room);
  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().code, Code::kPrecondition);
  EXPECT_THAT(fits.error().message, HasSubstr("1114 MiB are needed, 1113 MiB are free"));
  EXPECT_THAT(fits.error().message, HasSubstr("of its limit of 3114 MiB"));
}

TEST(CopyRoom, IsNotLessThanNothing) {
  const Status fits =
      CheckCopyFits({.held = Mebibytes(1), .limit = Mebibytes(100), .used = Mebibytes(200)});
  EXPECT_THAT(fits.error().message, HasSubstr(" 0 MiB are free"));
}

TEST(CopyRoom, IsWhatTheMachineHas) {
  CopyRoom room{.held = Mebibytes(1000), .available = Mebibytes(1114)};
  EXPECT_TRUE(CheckCopyFits(room));
  room.available = Mebibytes(1113);
  EXPECT_THAT(CheckCopyFits(room).error().message, HasSubstr("1113 MiB are free on the machine"));
}

TEST(CopyRoom, IsReadFromTheKernel) {
  EXPECT_GT(ReadAvailableMemory("/proc/meminfo").value_or(Mebibytes(0)), Mebibytes(0));
  EXPECT_FALSE(ReadAvailableMemory("/no/such/file"));
}

}  // namespace
}  // namespace yard::engine
