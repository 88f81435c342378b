#include "tune/space.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tune/testing/studies.h"

namespace yard::tune {
namespace {

using ::testing::HasSubstr;

std::string Refusal(const Space::Spec& spec) {
  Result<Space> space = Space::Make(spec);
  if (space) return "";
  std::string text = space.error().message;
  for (const FieldIssue& issue : space.error().fields)
    text += "; " + issue.field + ": " + issue.problem;
  return text;
}

TEST(Space, RefusesWhatCannotBeSearched) {
  EXPECT_THAT(Refusal({}), HasSubstr("none"));
  EXPECT_THAT(Refusal({.parameters = {{"x", FloatDomain{2, 1}}}}), HasSubstr("low 2 > high 1"));
  EXPECT_THAT(Refusal({.parameters = {{"x", FloatDomain{0, 1, Scale::kLog}}}}),
              HasSubstr("low > 0"));
  EXPECT_THAT(Refusal({.parameters = {{"x", FloatDomain{0, std::nan("")}}}}), HasSubstr("finite"));
  EXPECT_THAT(Refusal({.parameters = {{"x", CategoricalDomain{}}}}), HasSubstr("no choice"));
  EXPECT_THAT(Refusal({.parameters = {{"x", IntDomain{}}, {"x", IntDomain{}}}}),
              HasSubstr("twice"));
  EXPECT_THAT(Refusal({.parameters = {{"x", IntDomain{}, Condition{"y", {1}}}}}),
              HasSubstr("parent"));
  EXPECT_THAT(
      Refusal({.parameters = {{"y", IntDomain{}}, {"x", IntDomain{}, Condition{"y", {5}}}}}),
      HasSubstr("never has the value 5"));
}

// What is far apart has no places in between, and a lost step no levels: such a configuration was
// none of its own space.
TEST(Space, RefusesRangesThatNumbersCannotTell) {
  EXPECT_THAT(Refusal({.parameters = {{"x", FloatDomain{-1.7e308, 1.7e308}}}}),
              HasSubstr("too far apart"));
  EXPECT_THAT(Refusal({.parameters = {{"x", FloatDomain{1e-300, 1e300, Scale::kLog}}}}),
              HasSubstr("too far apart"));
  EXPECT_THAT(Refusal({.parameters = {{"x", FloatDomain{1e9, 1e9 + 1, Scale::kLinear, 1e-8}}}}),
              HasSubstr("step is lost"));
}

TEST(Space, ContainsItsLevelsBesideALargeBound) {
  Space space =
      Space::Make({.parameters = {{"x", FloatDomain{1000, 1000.1, Scale::kLinear, 1e-9}}}}).value();
  Rng rng(1);
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(space.Validate(space.Decode(space.RandomPoint(rng)))) << i;
}

TEST(Space, RefusesConstraintsThatContradictEachOther) {
  Space::Spec spec{.parameters = {{"x", FloatDomain{0, 1}}}, .constraints = {"x > 0.6", "x < 0.4"}};
  EXPECT_THAT(Refusal(spec), HasSubstr("exclude every configuration"));
  spec.constraints = {"x + z > 0"};
  EXPECT_THAT(Refusal(spec), HasSubstr("no parameter 'z'"));
  spec.constraints = {"x + > 0"};
  EXPECT_THAT(Refusal(spec), HasSubstr("expected at column 5"));
}

TEST(Space, DecodesOnlyValuesOfTheDomain) {
  Space space = testing::Mixed();
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    Configuration c = space.Decode(space.RandomPoint(rng));
    ASSERT_TRUE(space.Validate(c)) << space.Validate(c).error().message;
  }
  for (double edge : {0.0, 1.0}) {
    EXPECT_TRUE(space.Validate(space.Decode(Point(5, edge))));
  }
}

TEST(Space, EncodingADecodedPointChangesNothing) {
  for (const Space& space : {testing::Mixed(), testing::Layers(), testing::Choices(3, 4)}) {
    Rng rng(2);
    for (int i = 0; i < 200; ++i) {
      Configuration c = space.Decode(space.RandomPoint(rng));
      Configuration again = space.Decode(space.Encode(c));
      for (std::size_t p = 0; p < c.size(); ++p) {
        ASSERT_EQ(c.At(p).has_value(), again.At(p).has_value());
        double value = c.At(p).value_or(0);
        EXPECT_NEAR(value, again.At(p).value_or(0), 1e-12 * std::abs(value));
      }
    }
  }
}

TEST(Space, EveryLevelOfAnIntegerIsEquallyLikely) {
  Space space = Space::Make({.parameters = {{"n", IntDomain{1, 4}}}}).value();
  std::vector<int> counts(5, 0);
  for (int i = 0; i < 400; ++i)
    ++counts[static_cast<std::size_t>(*space.Decode(Point{(i + 0.5) / 400}).At(0))];
  EXPECT_THAT(counts, ::testing::ElementsAre(0, 100, 100, 100, 100));
}

TEST(Space, AChildExistsOnlyUnderItsCondition) {
  Space space = testing::Layers();
  Configuration shallow = space.Decode(Point{0.0, 0.5, 0.5, 0.5});
  EXPECT_EQ(shallow.At(0), 1);
  EXPECT_FALSE(shallow.At(2).has_value());
  Configuration middle = space.Decode(Point{0.5, 0.5, 0.5, 0.5});
  EXPECT_TRUE(middle.At(2).has_value());
  EXPECT_FALSE(middle.At(3).has_value());
  middle.Set(3, 64);
  EXPECT_FALSE(space.Validate(middle));
}

TEST(Space, ListsEveryConfigurationOnce) {
  Space space = Space::Make({.parameters = {{"a", CategoricalDomain{{"x", "y"}}},
                                            {"b", IntDomain{1, 3}, Condition{"a", {1}}}},
                             .constraints = {"b != 2"}})
                    .value();
  EXPECT_EQ(space.Enumerate(100).size(), 3u);  // x; y1; y3
  EXPECT_EQ(testing::Choices(3, 4).Count(), 64u);
  EXPECT_FALSE(testing::Mixed().Count().has_value());
}

TEST(Space, DerivesValuesFromParametersAndTexts) {
  Space space = Space::Make({.parameters = {{"units", OrdinalDomain{{"32", "64"}}},
                                            {"opt", CategoricalDomain{{"sgd", "adam"}}},
                                            {"fixed", ConstantDomain{"8"}}},
                             .derived = {{"total", "units * fixed"}, {"is_adam", "opt == 'adam'"}}})
                    .value();
  EXPECT_EQ(space.axes().size(), 2u);
  EXPECT_THAT(space.DerivedValues(space.Decode(Point{0.9, 1})), ::testing::ElementsAre(512, 1));
  EXPECT_THAT(space.DerivedValues(space.Decode(Point{0.1, 0})), ::testing::ElementsAre(256, 0));
}

TEST(Expression, FollowsTheUsualPrecedence) {
  auto value = [](std::string_view text) {
    return Expression::Parse(text).value().Evaluate([](std::string_view) { return 3.0; });
  };
  EXPECT_EQ(value("1 + 2 * x"), 7);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("-x ^ 2"), -9);
  EXPECT_EQ(value("not x == 3 or x > 2 and x <= 3"), 1);
  EXPECT_EQ(value("max(1, min(x, 2)) % 2"), 0);
  EXPECT_EQ(value("floor(7 / 2) - abs(-1)"), 2);
}

TEST(Expression, RefusesEndlessNesting) {
  EXPECT_FALSE(Expression::Parse(std::string(10000, '(') + "1"));
  EXPECT_FALSE(Expression::Parse(""));
  EXPECT_FALSE(Expression::Parse("1 2"));
  EXPECT_FALSE(Expression::Parse("min(1)"));
}

}  // namespace
}  // namespace yard::tune
