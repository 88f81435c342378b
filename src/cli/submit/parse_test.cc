#include "cli/submit/parse.h"

#include <gtest/gtest.h>

#include "cli/submit/words.h"

namespace yard::cli {
namespace {

std::int64_t SecondsOf(std::string_view text) {
  Result<Micros> span = ParseDuration(text);
  return span ? span->value / 1'000'000 : -1;
}

TEST(Duration, EverySpellingPeopleKnowIsRead) {
  EXPECT_EQ(SecondsOf("90"), 90 * 60) << "a bare number is minutes, as in Slurm";
  EXPECT_EQ(SecondsOf("30s"), 30);
  EXPECT_EQ(SecondsOf("1h30m"), 5400);
  EXPECT_EQ(SecondsOf("2d"), 2 * 86400);
  EXPECT_EQ(SecondsOf("5:30"), 330);
  EXPECT_EQ(SecondsOf("01:00:00"), 3600);
  EXPECT_EQ(SecondsOf("1-12"), 36 * 3600);
  EXPECT_EQ(SecondsOf("1-12:30:05"), 36 * 3600 + 1805);
}

TEST(Duration, WhatIsNoSpanIsRefused) {
  for (const char* text : {"", "x", "2x", "h", "1:2:3:4", "-5", "1-", "99999999999999d"})
    EXPECT_FALSE(ParseDuration(text)) << text;
}

TEST(Duration, IsShownShort) {
  EXPECT_EQ(FormatDuration(Seconds(9)), "9s");
  EXPECT_EQ(FormatDuration(Seconds(125)), "2m5s");
  EXPECT_EQ(FormatDuration(Seconds(3600)), "1h");
  EXPECT_EQ(FormatDuration(Seconds(5400)), "1h30m");
  EXPECT_EQ(FormatDuration(Days(3)), "3d");
}

TEST(Size, TheUnitsOfEveryHabitAreRead) {
  EXPECT_EQ(ParseSize("16G", ""), "16G");
  EXPECT_EQ(ParseSize("16GB", ""), "16G");
  EXPECT_EQ(ParseSize("16GiB", ""), "16Gi");
  EXPECT_EQ(ParseSize("16g", ""), "16G");
  EXPECT_EQ(ParseSize("4096", "Mi"), "4096Mi");
  EXPECT_FALSE(ParseSize("lots", ""));
  EXPECT_FALSE(ParseSize("1.2.3G", ""));
}

TEST(Gpus, AreWholeOrAPartOfOne) {
  EXPECT_EQ(ParseGpus("2")->devices, 2);
  EXPECT_FALSE(ParseGpus("2")->portion);
  EXPECT_EQ(ParseGpus("0.5")->devices, 1);
  EXPECT_EQ(ParseGpus("0.5")->portion, 0.5);
  EXPECT_FALSE(ParseGpus("1.5"));
  EXPECT_FALSE(ParseGpus("-1"));
  EXPECT_FALSE(ParseGpus("a100:2"));
}

TEST(Indices, FollowSlurm) {
  EXPECT_EQ(ParseIndices("0-3%2")->indices, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(ParseIndices("0-3%2")->throttle, 2);
  EXPECT_EQ(ParseIndices("0-20:10,7")->indices, (std::vector<std::int64_t>{0, 10, 20, 7}));
  for (const char* text : {"", "9-0", "1,1", "0-9%0", "a", "0-99999999", "1-2:0"})
    EXPECT_FALSE(ParseIndices(text)) << text;
}

TEST(Data, ADataSetHasATagAndAPlaceIfTheyAreSaid) {
  EXPECT_EQ(ParseDataSet("images")->Text("name"), "images");
  EXPECT_EQ(ParseDataSet("images:/in")->Text("mountPath"), "/in");
  EXPECT_EQ(ParseDataSet("data:images:v2:/in")->Text("name"), "images");
  EXPECT_EQ(ParseDataSet("images:v2:/in")->Text("tag"), "v2");
  EXPECT_EQ(ParseDataSet("images:v2:/in")->Text("mountPath"), "/in");
  for (const char* wrong : {"", ":v2", "images:", "images:v2:in", "a:b:c:/d"})
    EXPECT_FALSE(ParseDataSet(wrong)) << wrong;
}

TEST(Pvc, TwoPartsAreAnExistingClaimAndASizeMakesANewOne) {
  EXPECT_EQ(ParseSave("model:v2=/work/ckpt")->Text("name"), "model");
  EXPECT_EQ(ParseSave("model:v2=/work/ckpt")->Text("tag"), "v2");
  EXPECT_EQ(ParseSave("model:v2=/work/ckpt")->Text("path"), "/work/ckpt");
  EXPECT_EQ(ParseSave("model=runs/1")->Text("path"), "runs/1");
  EXPECT_EQ(ParseSave("model")->Text("path"), "");
  for (const char* text : {"", ":v1", "model:", "model=", "model:a:b"})
    EXPECT_FALSE(ParseSave(text)) << text;
  EXPECT_EQ(ParsePvc("data:/data")->Text("claimName"), "data");
  EXPECT_EQ(ParsePvc("data:/data:ro")->Text("path"), "/data");
  EXPECT_EQ(ParsePvc("fast:10Gi:/data")->Text("claimInfo.size"), "10Gi");
  EXPECT_EQ(ParsePvc("fast:10Gi:/data")->Text("claimInfo.storageClass"), "fast");
  EXPECT_EQ(ParsePvc(":10Gi:/data")->Text("path"), "/data");
  EXPECT_EQ(ParsePvc("fast:10Gi:/data:ro")->Text("path"), "/data");
  for (const char* text : {"data", "data:rel", "a:/b:rw", "a:b:c:d:e"})
    EXPECT_FALSE(ParsePvc(text)) << text;
}

TEST(Dependency, BothSpellingsNameTheCondition) {
  EXPECT_EQ(ParseAfter("prepare")->Text("condition"), "ok");
  EXPECT_EQ(ParseAfter("fail:train")->Text("workload"), "train");
  EXPECT_FALSE(ParseAfter("soon:train"));
  Result<std::vector<Item>> items = ParseDependency("afterok:1:2,afternotok:3");
  ASSERT_EQ(items->size(), 3U);
  EXPECT_EQ(items->at(2).Text("condition"), "fail");
  EXPECT_FALSE(ParseDependency("singleton"));
}

TEST(RetryOn, CausesAndExitCodesMayBeMixed) {
  Result<RetryCauses> causes = ParseRetryOn("preempted,node-lost,OOM,29");
  ASSERT_TRUE(causes);
  EXPECT_EQ(causes->causes, (std::vector<std::string>{"Preempted", "NodeLost", "OutOfMemory"}));
  EXPECT_EQ(causes->exit_codes, (std::vector<std::int64_t>{29}));
  EXPECT_FALSE(ParseRetryOn("bad-luck"));
}

TEST(Words, SurviveQuotingAndSplitting) {
  std::vector<std::string> words = {"bash", "-c", "echo \"a $X\" 'b' \\ ; done\n", "", "a b"};
  EXPECT_EQ(SplitWords(JoinWords(words)), words);
  EXPECT_EQ(QuoteWord("--lr=0.1"), "--lr=0.1");
  EXPECT_FALSE(SplitWords("'open"));
}

}  // namespace
}  // namespace yard::cli
