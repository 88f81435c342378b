#include "control/track/query.h"

#include <cmath>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/random.h"

namespace yard::control {
namespace {

Condition Number(Comparison comparison, double number) {
  return {.comparison = comparison, .number = number};
}
Condition Text(Comparison comparison, std::vector<std::string> texts) {
  return {.comparison = comparison, .texts = std::move(texts)};
}

TEST(TrackQuery, PatternsTakeAnyTextAndAnyCharacter) {
  EXPECT_TRUE(Like("trial 17", "trial 1_"));
  EXPECT_TRUE(Like("trial 17", "%17"));
  EXPECT_TRUE(Like("abcabd", "%ab_"));
  EXPECT_TRUE(Like("", "%"));
  EXPECT_FALSE(Like("trial 1", "trial 1_"));
  EXPECT_FALSE(Like("Trial", "trial"));
  EXPECT_FALSE(Like("abc", "b%"));
  EXPECT_TRUE(Like("abc", "%"));
  EXPECT_TRUE(Like("abc", "a%%c"));
  EXPECT_TRUE(Like("aXbYc", "a%b%c"));
  EXPECT_FALSE(Like("ac", "a%b%c"));
  EXPECT_FALSE(Like("aba", "ab%ba"));
  EXPECT_TRUE(Like("xabcabdx", "%a_d%"));
  EXPECT_FALSE(Like("xabcabcx", "%a_d%"));
  EXPECT_TRUE(Like("xx", "%_x"));
  EXPECT_FALSE(Like("", "%_%"));
  EXPECT_TRUE(Like("\xff_", "_%_"));
}

// The plainest way, which tries everything.
bool LikeByTrying(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '%') {
    return LikeByTrying(text, pattern.substr(1)) ||
           (!text.empty() && LikeByTrying(text.substr(1), pattern));
  }
  return !text.empty() && (pattern[0] == '_' || pattern[0] == text[0]) &&
         LikeByTrying(text.substr(1), pattern.substr(1));
}

TEST(TrackQuery, PatternsFitWhatTryingEverythingFits) {
  SeededRandom random(7);
  auto word = [&](std::string_view letters, std::size_t most) {
    std::string made(random.Below(most), ' ');
    for (char& c : made) c = letters[random.Below(letters.size())];
    return made;
  };
  int fits = 0;
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = word("aab", 12);
    const std::string pattern = word("aab_%%", 9);
    ASSERT_EQ(Like(text, pattern), LikeByTrying(text, pattern)) << text << " like " << pattern;
    fits += Like(text, pattern) ? 1 : 0;
  }
  EXPECT_GT(fits, 1000);
}

TEST(TrackQuery, LongPartsWithAnyCharacterAreFound) {
  const std::string part = std::string(70, 'a') + "_" + std::string(70, 'b');
  const std::string text = std::string(200, 'a') + "x" + std::string(200, 'b');
  EXPECT_TRUE(Like(text, "%" + part + "%"));
  EXPECT_FALSE(Like(text, "%" + part + "c%"));
}

// This would take 10^12 steps if every place were tried.
TEST(TrackQuery, ATextThatNearlyFitsEverywhereCostsNoMore) {
  const std::string text(4 << 20, 'a');
  EXPECT_FALSE(Like(text, "%" + std::string(200'000, 'a') + "b%"));
  EXPECT_FALSE(Like(text, "%a_" + std::string(900, 'a') + "b%"));
}

TEST(TrackQuery, AMissingFieldFulfilsOnlyIsNull) {
  EXPECT_FALSE(Fulfils(Cell(), Text(Comparison::kNotEqual, {"x"})));
  EXPECT_FALSE(Fulfils(Cell(), Number(Comparison::kLess, 5)));
  EXPECT_TRUE(Fulfils(Cell(), Number(Comparison::kIsNull, 0)));
  EXPECT_FALSE(Fulfils(Cell(1.0), Number(Comparison::kIsNull, 0)));
}

TEST(TrackQuery, NotANumberDiffersFromEverythingAndIsLessThanNothing) {
  EXPECT_FALSE(Fulfils(Cell(NAN), Number(Comparison::kLess, 5)));
  EXPECT_FALSE(Fulfils(Cell(NAN), Number(Comparison::kEqual, NAN)));
  EXPECT_TRUE(Fulfils(Cell(NAN), Number(Comparison::kNotEqual, 5)));
}

TEST(TrackQuery, ListsHoldTexts) {
  Condition among = Text(Comparison::kIn, {"a", "b"});
  EXPECT_TRUE(Fulfils(Cell(std::string_view("b")), among));
  EXPECT_FALSE(Fulfils(Cell(std::string_view("c")), among));
  among.comparison = Comparison::kNotIn;
  EXPECT_TRUE(Fulfils(Cell(std::string_view("c")), among));
}

TEST(TrackQuery, TextsThatAreNumbersAreLessOrGreaterByValue) {
  EXPECT_TRUE(Fulfils(Cell(std::string_view("9")), Text(Comparison::kLess, {"10"})));
  EXPECT_TRUE(Fulfils(Cell(std::string_view("1e-3")), Text(Comparison::kLessOrEqual, {"0.001"})));
  EXPECT_FALSE(Fulfils(Cell(std::string_view("abc")), Text(Comparison::kLess, {"10"})));
  EXPECT_EQ(AsNumber(Cell(std::string_view("64"))), Cell(64.0));
  EXPECT_EQ(AsNumber(Cell(std::string_view("64k"))), Cell(std::string_view("64k")));
}

TEST(TrackQuery, WhatIsMissingComesLastInEitherDirection) {
  for (Direction direction : {Direction::kAscending, Direction::kDescending}) {
    EXPECT_LT(CompareCells(Cell(1.0), Cell(), direction), 0);
    EXPECT_LT(CompareCells(Cell(1.0), Cell(NAN), direction), 0);
    EXPECT_LT(CompareCells(Cell(NAN), Cell(), direction), 0);
    EXPECT_EQ(CompareCells(Cell(), Cell(), direction), 0);
  }
  EXPECT_LT(CompareCells(Cell(1.0), Cell(2.0), Direction::kAscending), 0);
  EXPECT_GT(CompareCells(Cell(1.0), Cell(2.0), Direction::kDescending), 0);
}

}  // namespace
}  // namespace yard::control
