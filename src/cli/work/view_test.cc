#include "cli/work/view.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "cli/runai/views.h"
#include "cli/work/ending.h"
#include "cli/work/find.h"
#include "cli/work/mask.h"
#include "cli/work/usage.h"

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

TEST(Ps, EveryRowIsAsLongAsTheHeader) {
  std::vector<json::value> work = {Item(0, "Running"), Json(R"({"name":"a"})")};
  for (Columns columns : {Columns::kUsual, Columns::kAll}) {
    Table table = PsTable(work, columns, kNow);
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.header.size());
  }
}

TEST(Why, SaysPositionStartAndWhatWouldHelp) {
  std::string text = RenderWhy(Json(R"({"reason":"NoRoom","message":"No node has 2 free GPUs.",
      "nodes":[{"node":"a","missing":"1 GPU"}],"ahead":["x","y"],"position":3,
      "earliest":"2026-11-15T12:05:00Z","latest":"2026-11-15T12:20:00Z","basis":"time limits",
      "alternatives":[{"change":"with 1 GPU","outcome":"starts now"}]})"),
                               kNow);
  EXPECT_EQ(text,
            "NoRoom: No node has 2 free GPUs.\n  a: 1 GPU\nposition 3 in its queue\n"
            "ahead of it: x,y\nstarts in 5m to 20m (time limits)\n  with 1 GPU: starts now\n");
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
