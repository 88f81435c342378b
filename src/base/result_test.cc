#include "base/result.h"

#include <gtest/gtest.h>

namespace yard {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return Fail(Code::kInvalid, "an odd number has no half", "send an even one");
  return value / 2;
}

Result<int> Quarter(int value) {
  YARD_ASSIGN(int half, Half(value));
  YARD_ASSIGN(int quarter, Half(half));
  return quarter;
}

Status MustBeEven(int value) {
  YARD_TRY(Half(value));
  return {};
}

TEST(Result, CarriesAValueThroughAChain) {
  EXPECT_EQ(Quarter(8), 2);
  EXPECT_TRUE(MustBeEven(8).has_value());
}

TEST(Result, StopsAChainAtTheFirstErrorAndKeepsIt) {
  auto quarter = Quarter(6);
  ASSERT_FALSE(quarter.has_value());
  EXPECT_EQ(quarter.error().code, Code::kInvalid);
  EXPECT_EQ(quarter.error().details, "send an even one");
  EXPECT_FALSE(MustBeEven(3).has_value());
}

}  // namespace
}  // namespace yard
