#include "track/log_line.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "track/downsample.h"

namespace yard::track {
namespace {

using testing::ElementsAre;
using testing::Pair;

// Each would be looked at a million times over.
TEST(Patterns, GiveUpALineThatWasWrittenAgainstThem) {
  constexpr std::size_t kLong = 1 << 20;
  std::string far = std::string(kLong, 'a') + "b";
  EXPECT_FALSE(LinePattern::Parse("a{*}b{loss}")->Match(far));
  EXPECT_FALSE(LinePattern::Parse("{loss}z")->Match(std::string(kLong, '1')));
  EXPECT_FALSE(LinePattern::Parse(" {loss}")->Match(std::string(kLong, ' ')));
  EXPECT_FALSE(LinePattern::Parse("a{*}b{loss}z")->Match(far + std::string(kLong, '1')));
}

TEST(Patterns, FindWhatStandsFarInALongLine) {
  std::string line = std::string(100'000, '.') + "step 3 loss=0.5";
  auto found = LinePattern::Parse("step {step} loss={loss}")->Match(line);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 3);
  EXPECT_THAT(found->values, ElementsAre(Pair("loss", 0.5)));
}

TEST(JsonLine, NumbersAreMetricsAndTheStepIsTheStep) {
  auto metrics = JsonLineMetrics(R"(  {"step":1,"loss":0.3,"name":"x","ok":true} )");
  ASSERT_TRUE(metrics);
  EXPECT_EQ(metrics->step, 1);
  EXPECT_THAT(metrics->values, ElementsAre(Pair("loss", 0.3), Pair("ok", 1)));
}

TEST(JsonLine, ObjectsJoinTheirNames) {
  auto metrics = JsonLineMetrics(R"({"train":{"loss":1,"acc":{"top5":2}},"_timestamp":1.5})");
  ASSERT_TRUE(metrics);
  EXPECT_THAT(metrics->values, ElementsAre(Pair("train/loss", 1), Pair("train/acc/top5", 2)));
  EXPECT_EQ(metrics->time, Time{1'500'000});
}

TEST(JsonLine, WhatPythonPrintsIsRead) {
  auto metrics = JsonLineMetrics(R"({"a": NaN, "b": -Infinity, "c": Infinity, "d": "x NaN \" y"})");
  ASSERT_TRUE(metrics);
  ASSERT_EQ(metrics->values.size(), 3u);
  EXPECT_TRUE(std::isnan(metrics->values[0].second));
  EXPECT_EQ(metrics->values[1].second, -HUGE_VAL);
  EXPECT_EQ(metrics->values[2].second, HUGE_VAL);
}

TEST(JsonLine, LargeStepsStayExact) {
  EXPECT_EQ(JsonLineMetrics(R"({"step":9223372036854775807,"x":1})")->step, INT64_MAX);
}

TEST(JsonLine, OtherLinesAreNothing) {
  for (std::string_view line :
       {"", "{", "epoch 1", "{}", R"({"a":"b"})", R"({"a":[1,2]})", R"([1])", R"({"a":1} x)"}) {
    EXPECT_FALSE(JsonLineMetrics(line)) << line;
  }
}

TEST(LinePattern, NumbersAreTakenFromTheirPlaces) {
  auto pattern = LinePattern::Parse("step {step} loss={loss}, {*}lr {lr}");
  ASSERT_TRUE(pattern);
  auto metrics = pattern->Match("12:00 INFO step   17  loss=-1.5e-3, took 3 s, lr +0.1 done");
  ASSERT_TRUE(metrics);
  EXPECT_EQ(metrics->step, 17);
  EXPECT_THAT(metrics->values, ElementsAre(Pair("loss", -1.5e-3), Pair("lr", 0.1)));
  EXPECT_FALSE(pattern->Match("step 17 loss=none, lr 1"));
  EXPECT_FALSE(pattern->Match(""));
}

TEST(LinePattern, NotANumberIsOne) {
  auto metrics = LinePattern::Parse("loss: {loss}")->Match("loss: nan");
  ASSERT_TRUE(metrics);
  EXPECT_TRUE(std::isnan(metrics->values[0].second));
}

TEST(LinePattern, PatternsWithoutAMetricAreRefused) {
  for (std::string_view text : {"", "loss", "{", "{}", "a {b", "step {step}", "{*}"}) {
    EXPECT_EQ(LinePattern::Parse(text).error().code, Code::kInvalid) << text;
  }
}

TEST(Downsample, PeaksSurvive) {
  std::vector<MetricPoint> points;
  for (std::int64_t i = 0; i < 1000; ++i) points.push_back({i, Time{i}, i == 777 ? 9.0 : 1.0});
  auto pixels = Downsample(points, {.from = 0, .to = 999, .pixels = 10});
  ASSERT_EQ(pixels.size(), 10u);
  EXPECT_EQ(pixels[7].outline.high.step, 777);
  EXPECT_EQ(pixels[7].outline.points, 100u);
  EXPECT_EQ(Downsample(points, {.from = 995, .to = 2000, .pixels = 3}).size(), 1u);
}

}  // namespace
}  // namespace yard::track
