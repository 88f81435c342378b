#include "http/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::http {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(Percent, DecodesEscapesInEitherCaseAndKeepsPlus) {
  EXPECT_EQ(DecodePercent("a%20b%2fc%2Fd+e").value(), "a b/c/d+e");
}

TEST(Percent, DecodesBytesAboveAscii) {
  EXPECT_EQ(DecodePercent("%C3%A4").value(), "\xC3\xA4");
}

TEST(Percent, RefusesBadEscapes) {
  for (const char* text : {"%", "%4", "%zz", "a%2", "%%41", "%-1", "% 1", "%00", "x%g1"}) {
    auto decoded = DecodePercent(text);
    ASSERT_FALSE(decoded.has_value()) << text;
    EXPECT_EQ(decoded.error().code, Code::kInvalid) << text;
  }
}

TEST(Percent, EncodingAndDecodingAnyByteGivesItBack) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(DecodePercent(EncodePercent(all)).value(), all);
  EXPECT_EQ(EncodePercent("a-b_c.d~e f"), "a-b_c.d~e%20f");
}

TEST(Query, KeepsOrderAndRepeats) {
  EXPECT_THAT(ParseQuery("b=2&a=1&b=3").value(),
              ElementsAre(Pair("b", "2"), Pair("a", "1"), Pair("b", "3")));
}

TEST(Query, FollowsTheRulesOfForms) {
  EXPECT_THAT(ParseQuery("name=a+b%2Bc&k%20ey=v").value(),
              ElementsAre(Pair("name", "a b+c"), Pair("k ey", "v")));
}

TEST(Query, TakesMissingAndEmptyParts) {
  EXPECT_THAT(ParseQuery("").value(), IsEmpty());
  EXPECT_THAT(ParseQuery("&&").value(), IsEmpty());
  EXPECT_THAT(ParseQuery("a&b=&=c&d=e=f").value(),
              ElementsAre(Pair("a", ""), Pair("b", ""), Pair("", "c"), Pair("d", "e=f")));
}

TEST(Query, RefusesBadEscapesInKeyAndValue) {
  EXPECT_FALSE(ParseQuery("a=%4").has_value());
  EXPECT_FALSE(ParseQuery("%=1").has_value());
}

TEST(Path, SplitsBeforeItDecodes) {
  EXPECT_THAT(SplitPath("/api/v1//a%2Fb/").value(), ElementsAre("api", "v1", "a/b"));
  EXPECT_THAT(SplitPath("/").value(), IsEmpty());
}

TEST(Path, RefusesToClimb) {
  EXPECT_FALSE(SplitPath("/a/../b").has_value());
  EXPECT_FALSE(SplitPath("/a/%2e%2E/b").has_value());
  EXPECT_FALSE(SplitPath("/./b").has_value());
  EXPECT_TRUE(SplitPath("/a/...").has_value());
}

}  // namespace
}  // namespace yard::http
