#include "cli/work/view.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "cli/runai/views.h"
#include "cli/work/ending.h"
#include "cli/work/find.h"
#include "cli/work/logs.h"
#include "cli/work/mask.h"
#include "cli/work/story.h"
#include "cli/work/usage.h"
#include "cli/work/watch.h"
#include "cli/work/why.h"

namespace yard::cli {
namespace {

const Time kNow = *ParseRfc3339("2026-11-15T12:00:00Z");

json::value Json(std::string_view text) {
  Result<json::value> value = ParseJson(text);
  EXPECT_TRUE(value) << text;
  return *value;
}

json::value Item(int index, std::string_view phase) {
  json::value one = Json(R"({"name":"sweep-0","createdAt":"2026-11-15T11:00:00Z",
      "workloadRequestedResources":{"gpu":{"request":0.5}},"array":{"id":"a1","index":0}})");
  one.as_object()["name"] = "sweep-" + std::to_string(index);
  one.as_object()["phase"] = phase;
  one.at("array").as_object()["index"] = index;
  return one;
}

TEST(Ps, AnArrayIsOneRowWithCounts) {
  std::vector<json::value> work = {Item(0, "Running"), Item(1, "Pending"), Item(2, "Pending")};
  Table table = PsTable(work, Columns::kUsual, kNow);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][0], "sweep[3]");
  EXPECT_EQ(table.rows[0][1], "2 Pending, 1 Running");
  EXPECT_EQ(table.rows[0][3], "0.5");
  EXPECT_EQ(table.rows[0][4], "1h");
}

TEST(Ps, AnArrayThatTheServerSummedUpIsTheSameRow) {
  json::value first = Item(0, "Running");
  first.at("array").as_object()["items"] = 21000;
  first.at("array").as_object()["phases"] = {{"Completed", 20000}, {"Running", 1000}};
  Table table = PsTable(std::vector{first}, Columns::kUsual, kNow);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][0], "sweep[21000]");
  EXPECT_EQ(table.rows[0][1], "20000 Completed, 1000 Running");
}

TEST(Members, OfAGridHaveTheValuesOfTheirParameters) {
  json::value one = Item(0, "Running");
  EXPECT_EQ(MemberTable(std::vector{one}, kNow).header[1], "NAME");
  one.as_object()["environmentVariables"] = {
      {"PARAM_lr", "0.1"}, {"PARAM_bs", "16"}, {"OTHER", "x"}};
  Table table = MemberTable(std::vector{one, Item(1, "Pending")}, kNow);
  EXPECT_EQ(table.header[1], "PARAMETERS");
  EXPECT_EQ(table.rows[0][1], "lr=0.1 bs=16");
  EXPECT_EQ(table.rows[1][1], "-");
}

TEST(Ps, EveryRowIsAsLongAsTheHeader) {
  std::vector<json::value> work = {Item(0, "Running"), Json(R"({"name":"a"})")};
  for (Columns columns : {Columns::kUsual, Columns::kAll}) {
    Table table = PsTable(work, columns, kNow);
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.header.size());
  }
}

TEST(Why, SaysPositionStartAndWhatWouldHelp) {
  std::string text = RenderWhy(Json(R"({"reason":"NoRoom","message":"No node has 2 free GPUs.",
      "nodes":[{"node":"a","missing":"has 1 GPU free, needs 2 GPU"}],"ahead":["x","y"],"position":3,
      "earliest":"2026-11-15T12:05:00Z","latest":"2026-11-15T12:20:00Z","basis":"time limits",
      "alternatives":[
        {"change":"with 1 GPU per task","outcome":"starts now","flags":"--gpu 1","command":""},
        {"change":"with priority low","outcome":"starts now","flags":"--priority low",
         "command":"gpuyard update train --priority low",
         "price":["stops run-7 of bob, 5 h 29 m of work"]},
        {"change":"if the quota were larger","outcome":"starts now","flags":"","command":""}],
      "holders":[{"workload":"r","user":"bob","project":"vision","amount":"2 GPU"},
        {"amount":"3 workloads of other projects"}]})"),
                               kNow);
  EXPECT_EQ(text,
            "No node has 2 free GPUs. (NoRoom)\n  a: has 1 GPU free, needs 2 GPU\n"
            "held by: vision/r of bob (2 GPU), 3 workloads of other projects\n"
            "position 3 in its queue\nahead of it: x, y\nstarts in 5m to 20m (time limits)\n"
            "what would help:\n  with --gpu 1: starts now\n"
            "  `gpuyard update train --priority low`: starts now; stops run-7 of bob, 5 h 29 m of "
            "work\n"
            "  if the quota were larger: starts now\n");
}

TEST(Why, AStartWithoutALatestTimeIsSaidToComeLaterPerhaps) {
  json::value why = Json(R"({"earliest":"2026-11-15T12:05:00Z","latest":null})");
  EXPECT_EQ(RenderStart(why, kNow), "in 5m or later");
}

TEST(Why, SaysWhyThereIsNoForecast) {
  json::value why = Json(R"({"reason":"Gpus","message":"Full.","noForecast":"bob's runs on"})");
  EXPECT_EQ(RenderWhy(why, kNow), "Full. (Gpus)\nno forecast: bob's runs on\n");
}

TEST(Why, WhatStartsAtOnceIsNotSaidToStartInNow) {
  json::value why = Json(R"({"earliest":"2026-11-15T12:00:00Z","latest":"2026-11-15T12:00:00Z"})");
  EXPECT_EQ(RenderStart(why, kNow), "now");
}

TEST(Why, WhatCanNeverRunIsWarnedOfWithTheSmallestChange) {
  json::value why = Json(R"({"reason":"NodeTooSmall","message":"No node is large enough.",
      "never":true,"alternatives":[
        {"change":"with 4 GPU per task","outcome":"could run","flags":"--gpu 4"}]})");
  EXPECT_EQ(RenderNever(why, "big"),
            "warning: big can never run here. No node is large enough.\n"
            "  it could run with --gpu 4\n"
            "  `gpuyard cancel big` takes it back, `gpuyard why big` says more");
  EXPECT_EQ(RenderNever(Json(R"({"reason":"Possible","never":false})"), "big"), "");
  EXPECT_TRUE(RenderDryRun(why, kNow).starts_with("It could never run here."));
}

TEST(Show, HasTheTimeThatIsLeftTheFolderTheCommandAndTheAttempts) {
  json::value workload = Json(R"({"name":"train","phase":"Running","id":"1","timeLimitSeconds":3600,
      "workloadRequestedResources":{"cpuMemory":{"request":"16384Mi"},"cpu":{"request":0}}})");
  json::value spec = Json(R"({"workingDir":"/work","command":"./train.sh",
      "retry":{"limit":3}})");
  json::array attempts = {Json(R"({"number":1,"startedAt":"2026-11-15T11:30:00Z"})")};
  json::array events;
  std::string text = RenderStory({&workload, &spec, &attempts, &events}, 0, kNow);
  for (const char* line :
       {"Time limit  1h, 30m left\n", "Directory   /work\n", "Command     ./train.sh\n",
        "Attempts    1, 3 retries allowed\n", "Memory      16 GiB\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_EQ(text.find("CPUs"), std::string::npos) << "nothing was asked for";
}

TEST(Show, TimeOffItsGpusIsShownAndDoesNotCountAgainstTheLimit) {
  json::value workload = Json(R"({"name":"train","phase":"Stopped","timeLimitSeconds":3600,
      "conditions":[{"reason":"Parked"}]})");
  json::value spec = Json("{}");
  json::array attempts = {Json(R"({"number":1,"startedAt":"2026-11-15T10:00:00Z",
      "residence":"Away","awaySeconds":5400})")};
  json::array events;
  std::string text = RenderStory({&workload, &spec, &attempts, &events}, 0, kNow);
  for (const char* line : {"Time limit  1h, 30m left\n", "Away        1h30m off its GPUs\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Records, HaveTimesAndPlainNumbersForPrograms) {
  std::vector<json::value> work = {Json(R"({"name":"a","phase":"Stopped",
      "createdAt":"2026-11-15T11:00:00Z","completedAt":"2026-11-15T11:30:00Z","id":"7"})")};
  Table table = WorkRecords(work);
  ASSERT_EQ(table.rows[0].size(), table.header.size());
  EXPECT_EQ(RenderCsv(table).find(" ago"), std::string::npos);
  EXPECT_NE(RenderCsv(table).find("2026-11-15T11:30:00Z"), std::string::npos);
  EXPECT_EQ(table.rows[0][3], "") << "no GPUs is nothing, not a dash";
}

TEST(Cancelled, WorkHasEndedAndSaysByWhom) {
  json::value workload = Json(R"({"phase":"Stopped","phaseMessage":"Cancelled by ann@lab.",
      "conditions":[{"reason":"Cancelled"}]})");
  EXPECT_TRUE(HasEnded(workload));
  Ending ending = EndingOf(workload, json::value());
  EXPECT_EQ(ending.status, 130);
  EXPECT_EQ(ending.message, "Cancelled by ann@lab.");
  EXPECT_FALSE(HasEnded(Json(R"({"phase":"Stopped","conditions":[{"reason":"Suspended"}]})")));
}

TEST(Logs, OfSeveralHaveTheNameBeforeEachLine) {
  std::string out;
  LinePrefix prefix("a: ", [&out](std::string_view bytes) { out += bytes; });
  prefix.Take("one\ntw");
  prefix.Take("o\nthree");
  prefix.Finish();
  EXPECT_EQ(out, "a: one\na: two\na: three\n");
}

int StatusFor(std::string_view attempt, std::string_view phase) {
  json::value workload = Json(R"({"phase":"","deletedAt":null})");
  workload.as_object()["phase"] = phase;
  return EndingOf(workload, Json(attempt)).status;
}

TEST(Ending, TheExitCodeIsTheJobs) {
  EXPECT_EQ(StatusFor(R"({"cause":"Completed","exitCode":0})", "Completed"), 0);
  EXPECT_EQ(StatusFor(R"({"cause":"Exit","exitCode":3})", "Failed"), 3);
  EXPECT_EQ(StatusFor(R"({"cause":"Signal","signal":11})", "Failed"), 139);
  EXPECT_EQ(StatusFor(R"({"cause":"OutOfMemory"})", "Failed"), 137);
  EXPECT_EQ(StatusFor(R"({"cause":"TimeLimit","exitCode":0})", "Failed"), 124);
  EXPECT_EQ(StatusFor(R"({"cause":"LaunchFailed"})", "Failed"), 125);
  EXPECT_EQ(StatusFor(R"({"cause":"NodeLost"})", "Failed"), 75);
  EXPECT_EQ(StatusFor("null", "Failed"), 125);
}

TEST(Ending, DeletedWorkWasCancelled) {
  EXPECT_EQ(EndingOf(json::value(), json::value()).status, 130);
  EXPECT_EQ(EndingOf(Json(R"({"phase":"Running","deletedAt":"2026-11-15T11:00:00Z"})"),
                     Json(R"({"cause":"Deleted"})"))
                .status,
            130);
}

TEST(Glob, StarsStandForAnything) {
  EXPECT_TRUE(MatchesGlob("sweep-12", "sweep*"));
  EXPECT_TRUE(MatchesGlob("sweep-12", "*-1*"));
  EXPECT_FALSE(MatchesGlob("sweep", "sweep-*"));
}

json::value Member(std::string_view name, std::string_view id, std::string_view array, int index) {
  return json::object{
      {"name", name}, {"id", id}, {"array", json::object{{"id", array}, {"index", index}}}};
}

TEST(Find, TheNameOfAnArrayIsNotThatOfTheNext) {
  std::vector<json::value> all = {
      Member("sweep-0", "01a10000", "e100", 0), Member("sweep-1", "01a10001", "e100", 1),
      Member("sweep-2-0", "01a10002", "f200", 0), Member("sweep-0-0x9ab", "01a10003", "e100", 0)};
  EXPECT_EQ(Meant(all, "sweep").size(), 3U) << "its items, one of them run once more";
  EXPECT_EQ(Meant(all, "sweep-2").size(), 1U);
  EXPECT_TRUE(Meant(all, "swee").empty());
}

TEST(Find, APartOfAnIdIsLongEnoughToBeMeant) {
  std::vector<json::value> all = {Member("sweep-0", "01a10000", "e100", 0),
                                  Json(R"({"name":"x","id":"01a1000f"})")};
  EXPECT_TRUE(Meant(all, "e").empty()) << "an array's id may begin with any letter";
  EXPECT_EQ(Meant(all, "e100").size(), 1U);
  EXPECT_EQ(Meant(all, "000f").size(), 1U);
}

TEST(Find, WhatDoesNotBelongTogetherIsNotOrderedTogether) {
  std::vector<json::value> all = {Member("sweep-0", "01a10000", "e100", 0),
                                  Member("sweep-1", "01a10001", "e100", 1),
                                  Json(R"({"name":"x","id":"01a1000f"})")};
  client::Outcome<Several> common = Together("01a1", Meant(all, "01a1"));
  ASSERT_FALSE(common) << "ids of one minute begin alike";
  EXPECT_EQ(common.error().error.code, Code::kConflict);
  all.pop_back();
  EXPECT_FALSE(Together("01a1", Meant(all, "01a1"))) << "also if all are of one array by chance";
  all.push_back(Json(R"({"name":"x","id":"01a1000f"})"));
  EXPECT_EQ(Together("sweep", Meant(all, "sweep"))->items.size(), 2U);
  EXPECT_EQ(Together("*", Meant(all, "*"))->items.size(), 3U);
}

TEST(Usage, AReportShowsWhatWasHeldUsedAndIdle) {
  json::value report = Json(R"({"rows":[{"name":"ann","workloads":2,"attempts":3,"hours":1.5,
      "cpuHours":0.25,"gpuTime":{"held":5400000000000,"used":1800000000000,"idle":1800000000000,
      "notMeasured":1800000000000}}],"total":{"name":"total","workloads":2,"attempts":3,"hours":1.5,
      "cpuHours":0.25,"gpuTime":{"held":5400000000000,"used":0,"idle":0,
      "notMeasured":5400000000000}}})");
  Table table = ReportTable("USER", report);
  using Row = std::vector<std::string>;
  EXPECT_EQ(table.rows.at(0),
            (Row{"ann", "2", "3", "1.50", "0.25", "1.50", "0.50", "0.50", "0.50"}));
  EXPECT_EQ(table.rows.at(1), (Row{"total", "2", "3", "1.50", "0.25", "1.50", "-", "-", "1.50"}));
}

TEST(Mask, SecretsAreTakenOut) {
  json::value masked = Masked(Json(R"({"password":"x","environmentVariables":[
      {"name":"WANDB_API_KEY","value":"y"},{"name":"EPOCHS","value":"3"}]})"));
  EXPECT_EQ(masked.at("password").as_string(), "***");
  EXPECT_EQ(masked.at("environmentVariables").at(0).at("value").as_string(), "***");
  EXPECT_EQ(masked.at("environmentVariables").at(1).at("value").as_string(), "3");
}

TEST(RunaiList, IsSortedByProjectThenName) {
  std::vector<json::value> work = {
      Json(R"({"name":"b","projectName":"x","phase":"Completed","type":"Training"})"),
      Json(R"({"name":"a","projectName":"x","phase":"Running","type":"Workspace"})"),
      Json(R"({"name":"z","projectName":"a","phase":"Failed","type":"Training",
               "conditions":[{"reason":"TimeLimit"}]})")};
  Table table = runai::OldList(work, kNow);
  EXPECT_EQ(table.rows[0][1], "TimedOut");
  EXPECT_EQ(table.rows[1][5], "Interactive");
  EXPECT_EQ(table.rows[2][1], "Succeeded");
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.header.size());
}

}  // namespace
}  // namespace yard::cli
