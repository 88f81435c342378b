#include "facade/mlflow/filter.h"

#include <array>

#include <gtest/gtest.h>

namespace yard::facade::mlflow {
namespace {

using control::Comparison;
using control::FieldKind;

constexpr std::array kAttributes{
    AttributeName{"run_name", "run_name"},
    AttributeName{"start_time", "start_time", AttributeName::Type::kNumber}};
constexpr Vocabulary kAll{.attributes = kAttributes};

control::Condition One(std::string_view text) {
  auto conditions = ParseFilter(text, kAll);
  EXPECT_TRUE(conditions) << (conditions ? "" : conditions.error().message);
  EXPECT_TRUE(conditions && conditions->size() == 1);
  return conditions && conditions->size() == 1 ? conditions->front() : control::Condition{};
}

TEST(MlflowFilter, ReadsNumbersOfMetrics) {
  control::Condition read = One("metrics.loss <= -1.5e-3");
  EXPECT_EQ(read.field.kind, FieldKind::kMetric);
  EXPECT_EQ(read.field.key, "loss");
  EXPECT_EQ(read.comparison, Comparison::kLessOrEqual);
  EXPECT_EQ(read.number, -0.0015);
}

std::string Repeated(std::string_view first, std::string_view again, std::size_t count) {
  std::string text(first);
  for (std::size_t i = 1; i < count; ++i) text += again;
  return text;
}

TEST(MlflowFilter, IsBounded) {
  EXPECT_TRUE(ParseFilter(Repeated("metrics.a > 1", " AND metrics.a > 1", 50), kAll));
  EXPECT_FALSE(ParseFilter(Repeated("metrics.a > 1", " AND metrics.a > 1", 51), kAll));
  EXPECT_TRUE(ParseFilter(Repeated("tags.a IN ('x'", ",'x'", 1000) + ")", kAll));
  EXPECT_FALSE(ParseFilter(Repeated("tags.a IN ('x'", ",'x'", 1001) + ")", kAll));
  EXPECT_FALSE(ParseFilter("tags.a = '" + std::string(70'000, 'x') + "'", kAll));
  EXPECT_FALSE(ParseOrder("tags.`" + std::string(70'000, 'x') + "`", kAll));
  EXPECT_TRUE(CheckOrders(10));
  EXPECT_FALSE(CheckOrders(11));
  Result<std::vector<control::Condition>> wrong = ParseFilter(std::string(60'000, '('), kAll);
  ASSERT_FALSE(wrong);
  EXPECT_LT(wrong.error().message.size(), 2000U);
}

TEST(MlflowFilter, KeysMayHoldDotsSpacesAndQuotes) {
  EXPECT_EQ(One("tags.mlflow.user = 'ada'").field.key, "mlflow.user");
  EXPECT_EQ(One("tags.`my tag` = 'x'").field.key, "my tag");
  EXPECT_EQ(One("params.\"a = b\" = 'x'").field.key, "a = b");
  EXPECT_EQ(One("params.a='it''s'").texts, std::vector<std::string>{"it's"});
}

TEST(MlflowFilter, AttributesNeedNoPrefix) {
  EXPECT_EQ(One("run_name ILIKE '%x%'").comparison, Comparison::kLikeFold);
  EXPECT_EQ(One("attributes.start_time > 5").number, 5);
  EXPECT_EQ(One("attributes.run_name NOT IN ('a', 'b')").texts.size(), 2U);
  EXPECT_EQ(One("params.x IS NOT NULL").comparison, Comparison::kIsNotNull);
}

TEST(MlflowFilter, ConditionsAreJoinedByAnd) {
  auto read = ParseFilter("metrics.a > 1 and params.b != 'x' AND start_time<3", kAll);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 3U);
  EXPECT_TRUE(ParseFilter("  ", kAll)->empty());
}

TEST(MlflowFilter, RefusesWithTheCharacter) {
  for (std::string_view wrong :
       {"metrics.a > 'x'", "params.a = 5", "metrics.a >", "a", "nothing.a = 'x'", "params. = 'x'",
        "metrics.a > 1 OR metrics.b > 2", "params.a = 'open", "metrics.a LIKE '1'",
        "run_name IN 'a'", "unknown = 'x'", "tags.`open = 'x'"}) {
    EXPECT_FALSE(ParseFilter(wrong, kAll)) << wrong;
  }
  EXPECT_NE(ParseFilter("metrics.a > x", kAll).error().message.find("expected a number"),
            std::string::npos);
}

TEST(MlflowFilter, OrdersHaveADirection) {
  EXPECT_EQ(ParseOrder("metrics.`my loss` DESC", kAll)->direction, control::Direction::kDescending);
  EXPECT_EQ(ParseOrder("start_time", kAll)->direction, control::Direction::kAscending);
  EXPECT_FALSE(ParseOrder("start_time sideways", kAll));
  EXPECT_FALSE(ParseOrder("", kAll));
}

}  // namespace
}  // namespace yard::facade::mlflow
