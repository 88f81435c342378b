#include "control/track/query.h"

#include <cmath>

#include <gtest/gtest.h>

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
