#include "api/track/run_records.h"

#include <cmath>

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

namespace yard::api {
namespace {

Result<RunRecords> Read(std::string_view text) {
  return ReadRunRecords(ParseJson(text)->as_array());
}

TEST(RunRecords, AStartNamesTheRunAndWhatItBelongsTo) {
  RunRecords read = *Read(R"([{"kind":"start","time":10.5,"project":"vision","name":"quick",
      "tags":["baseline"],"notes":"first","group":null,"command":["train.py","--lr","1"]}])");
  EXPECT_EQ(read.start->project, "vision");
  EXPECT_EQ(read.start->name, "quick");
  EXPECT_EQ(read.start->at, Time{10'500'000});
  EXPECT_EQ(
      read.tags,
      (Tags{{"baseline", "true"}, {"notes", "first"}, {"command", R"(["train.py","--lr","1"])"}}));
}

TEST(RunRecords, NestedSettingsBecomeParametersWithSlashes) {
  RunRecords read = *Read(R"([{"kind":"config","time":1,"values":{"lr":0.1,"opt":{"name":"adam"}}},
      {"kind":"config","time":2,"values":{"lr":0.2}}])");
  EXPECT_EQ(read.params.at("opt/name"), "adam");
  EXPECT_EQ(read.params.at("lr"), "0.2");
}

TEST(RunRecords, NotANumberAndTheInfinitiesAreValues) {
  RunRecords read = *Read(R"([{"kind":"metrics","time":1,"step":-3,
      "values":{"a":"NaN","b":"-Infinity","../../x":1}}])");
  EXPECT_TRUE(std::isnan(read.points.at("a").at(0).value));
  EXPECT_EQ(read.points.at("b").at(0).value, -INFINITY);
  EXPECT_EQ(read.points.at("../../x").at(0).step, -3);
}

TEST(RunRecords, ASummaryIsAMetricOfOneStepSoThatRunsCanBeOrderedByIt) {
  RunRecords read =
      *Read(R"([{"kind":"summary","time":1,"values":{"best":0.9,"checkpoint":"a.pt"}}])");
  EXPECT_EQ(read.points.at("summary/best").at(0), (MetricPoint{0, Time{1'000'000}, 0.9}));
  EXPECT_EQ(read.tags.at("summary/checkpoint"), "a.pt");
}

TEST(RunRecords, AnEndSaysHowItWent) {
  EXPECT_EQ(Read(R"([{"kind":"finish","time":9,"exit_code":0}])")->end->status,
            RunStatus::kFinished);
  EXPECT_EQ(Read(R"([{"kind":"finish","time":9,"exit_code":1}])")->end->status, RunStatus::kFailed);
}

TEST(RunRecords, WhatCannotBeReadIsNamedByItsPlace) {
  auto text = Read(R"([{"kind":"metrics","time":1,"step":1,"values":{"a":1}},
                       {"kind":"metrics","time":1,"step":1,"values":{"a":"high"}}])");
  EXPECT_EQ(text.error().message, "record 1: metric 'a' is not a number");
  EXPECT_FALSE(Read(R"([{"kind":"metrics","time":1,"values":{"a":1}}])"));
  EXPECT_FALSE(Read(R"([{"kind":"metrics","time":-1,"step":1,"values":{"a":1}}])"));
  EXPECT_FALSE(Read(R"([{"kind":"metrics","time":1,"step":9223372036854775808,"values":{}}])"));
}

TEST(RunRecords, LongTextsAreCutBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "\xC3\xA9";  // two bytes each
  RunRecords read = *Read(R"([{"kind":"text","time":1,"name":"note","text":"x)" + text + R"("}])");
  EXPECT_EQ(read.tags.at("text/note").size(), 5999U);
}

}  // namespace
}  // namespace yard::api
