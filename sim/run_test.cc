#include "sim/run.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/random.h"
#include "sim/invariants.h"
#include "sim/report_html.h"
#include "sim/report_text.h"
#include "sim/summary.h"

namespace yard::sim {
namespace {

constexpr std::string_view kOneNode = R"({"nodes": [{"name": "a", "gpus": 4}],
  "projects": [{"name": "x", "quota": 2}, {"name": "y", "quota": 2}]})";

RunInput Input(std::string_view cluster, const std::string& rows) {
  auto file = ReadCluster(*ParseJson(cluster));
  EXPECT_TRUE(file.has_value()) << file.error().message;
  auto jobs = ParseJobs("id,user,project,submit_s,duration_s,gpus,gpu_fraction,nodes\n" + rows);
  EXPECT_TRUE(jobs.has_value()) << jobs.error().message;
  return {.cluster = std::move(*file), .jobs = std::move(*jobs)};
}

RunResult Watched(const RunInput& input) {
  auto result = sim::Run(input, CheckInvariants);
  EXPECT_TRUE(result.has_value()) << result.error().message << "\n" << result.error().details;
  return result ? std::move(*result) : RunResult{};
}

std::int64_t SecondOf(const std::optional<Time>& time) {
  return time ? time->micros / 1'000'000 : -1;
}

TEST(Run, AJobThatFitsStartsAtOnceAndEndsAfterItsDuration) {
  const RunResult result = Watched(Input(kOneNode, "j,ann,x,5,100,1,,\n"));
  EXPECT_EQ(SecondOf(result.outcomes[0].first_start), 5);
  EXPECT_EQ(SecondOf(result.outcomes[0].end), 105);
  EXPECT_EQ(result.outcomes[0].attempts, 1);
}

TEST(Run, AJobWaitsUntilAnotherLeavesRoom) {
  const RunInput input = Input(kOneNode, "long,ann,x,0,100,2,,\nmore,ann,x,10,50,4,,\n");
  const RunResult result = Watched(input);
  EXPECT_EQ(SecondOf(result.outcomes[1].first_start), 100);
  const Summary summary = Summarise("fair-share", input, result);
  EXPECT_DOUBLE_EQ(summary.makespan_s, 150);
  EXPECT_DOUBLE_EQ(summary.wait_s.mean, 45);
  EXPECT_NEAR(summary.allocation_pct, 100.0 * (200 + 200) / 600, 1e-9);
}

TEST(Run, AReservationKeepsItsGpusAndGivesBackWhatNobodyUses) {
  const std::string cluster = R"({"nodes": [{"name": "a", "gpus": 4}],
    "projects": [{"name": "x", "quota": 4}, {"name": "pi"}],
    "reservations": [{"name": "deadline", "project": "pi", "gpus": 4, "fromSeconds": 100,
                      "toSeconds": 1000, "releaseAfterSeconds": RELEASE}]})";
  const auto with = [&](const std::string& release) {
    std::string text = cluster;
    text.replace(text.find("RELEASE"), 7, release);
    return Watched(Input(text, "late,ann,x,150,50,4,,\n"));
  };
  EXPECT_EQ(SecondOf(with("0").outcomes[0].first_start), 1000);
  EXPECT_EQ(SecondOf(with("300").outcomes[0].first_start), 400);
}

TEST(Run, ADepartmentMayHaveARuleOfItsOwn) {
  const auto first = [](const std::string& fairness) {
    const std::string cluster = R"({"nodes": [{"name": "a", "gpus": 1}],
      "departments": [{"name": "d", "quota": 1)" +
                                fairness + R"(}],
      "projects": [{"name": "x", "quota": 1, "department": "d"},
                   {"name": "y", "department": "d"}]})";
    const std::string jobs = "old,ann,x,0,10,1,,\nb,bob,y,1,10,1,,\na,ann,x,2,10,1,,\n";
    return SecondOf(Watched(Input(cluster, jobs)).outcomes[1].first_start);
  };
  EXPECT_EQ(first(""), 20) << "x is within its quota";
  EXPECT_EQ(first(R"(, "fairness": "fifo")"), 10) << "y asked before";
}

TEST(Run, WorkOverQuotaGivesWayAndItsLostTimeIsCounted) {
  const RunInput input = Input(kOneNode,
                               "first,ann,x,0,100,2,,\nover,ann,x,0,100,2,,\n"
                               "mine,bob,y,30,60,2,,\n");
  const RunResult result = Watched(input);
  EXPECT_EQ(SecondOf(result.outcomes[2].first_start), 30);
  EXPECT_EQ(result.preemptions, 1);
  const Summary summary = Summarise("fair-share", input, result);
  EXPECT_EQ(summary.ended, 3);
  EXPECT_NEAR(summary.lost_gpu_hours, 2 * 30.0 / 3600, 1e-9);
  EXPECT_LT(summary.utilisation_pct, summary.allocation_pct);
}

TEST(Run, NobodyGivesWayWhereThereIsNoPreemption) {
  RunInput input = Input(kOneNode, "all,ann,x,0,100,4,,\nmine,bob,y,30,60,2,,\n");
  input.cluster.policy.preemption = sched::Preemption::kNever;
  const RunResult result = Watched(input);
  EXPECT_EQ(result.preemptions, 0);
  EXPECT_EQ(SecondOf(result.outcomes[1].first_start), 100);
}

TEST(Run, AJobOnAFailingNodeStartsAgainWhenTheNodeReturns) {
  RunInput input = Input(kOneNode, "j,ann,x,0,100,1,,\n");
  input.faults = *ParseFaults("time_s,node,state\n40,a,down\n70,a,up\n");
  const RunResult result = Watched(input);
  EXPECT_EQ(result.interruptions, 1);
  EXPECT_EQ(result.outcomes[0].attempts, 2);
  EXPECT_EQ(SecondOf(result.outcomes[0].end), 170);
}

TEST(Run, AJobThatCanNeverStartIsNamedWithItsReason) {
  const RunInput input = Input(kOneNode, "huge,ann,x,0,100,8,,\n");
  const Summary summary = Summarise("fair-share", input, Watched(input));
  EXPECT_EQ(summary.ended, 0);
  ASSERT_EQ(summary.waiting.size(), 1U);
  EXPECT_FALSE(summary.waiting[0].why.empty());
}

TEST(Run, AnUnknownProjectOrNodeIsRefusedWithItsLine) {
  RunInput input = Input(kOneNode, "j,ann,x,0,9,1,,\nk,ann,z,0,9,1,,\n");
  auto result = sim::Run(input);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "jobs: line 3: project \"z\" is not in the cluster");
  input = Input(kOneNode, "j,ann,x,0,9,1,,\n");
  input.faults = *ParseFaults("time_s,node,state\n40,b,down\n");
  result = sim::Run(input);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "faults: line 2: node \"b\" is not in the cluster");
}

TEST(Cluster, AWrongFieldIsNamedByItsPath) {
  const auto message = [](std::string_view text) {
    const auto file = ReadCluster(*ParseJson(text));
    return file ? std::string("good") : file.error().message;
  };
  EXPECT_EQ(message(R"({"nodes": [{"name": "a", "gpus": -1}]})"), "nodes[0].gpus: -1 is negative");
  EXPECT_EQ(message(R"({"nodes": [{"name": "a", "pool": "p"}]})"),
            "nodes[0].pool: there is no pool \"p\"");
  EXPECT_EQ(message(R"({"nodes": [{"name": "a", "gpuss": 1}]})"),
            "nodes[0].gpuss: is unknown; did you mean gpus?");
  EXPECT_EQ(message(R"({"nodes": [{"name": "a", "count": 2}]})"), "projects: there are none");
}

TEST(Jobs, AnImpossibleRowIsRefusedWithLineAndColumn) {
  const auto message = [](const std::string& row) {
    const auto jobs = ParseJobs("id,user,project,submit_s,duration_s,gpus,nodes\n" + row);
    return jobs ? std::string("good") : jobs.error().message;
  };
  EXPECT_EQ(message("j,u,p,0,10,1,1\n"), "good");
  EXPECT_EQ(message("j,u,p,0,0,1,1\n"), "jobs: line 2: duration_s \"0\" is not positive");
  EXPECT_EQ(message("j,u,p,-1,5,1,1\n"), "jobs: line 2: submit_s \"-1\" is negative");
  EXPECT_EQ(message("j,u,p,0,5,3,2\n"),
            "jobs: line 2: gpus \"3\" cannot be split evenly over the nodes");
  EXPECT_EQ(message("j,u,p,0,5,1,1\nj,u,p,0,5,1,1\n"), "jobs: line 3: id \"j\" occurs twice");
}

TEST(Summary, PercentilesAreByNearestRankAndEqualSpeedsArePerfectlyFair) {
  const Spread spread = SpreadOf({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(spread.mean, 2.5);
  EXPECT_DOUBLE_EQ(spread.p50, 2);
  EXPECT_DOUBLE_EQ(spread.p99, 4);
  const double equal[] = {0.5, 0.5};
  const double one_sided[] = {1, 0};
  EXPECT_DOUBLE_EQ(JainIndex(equal), 1);
  EXPECT_DOUBLE_EQ(JainIndex(one_sided), 0.5);
}

TEST(Report, ThePageLoadsNothingAndEscapesNames) {
  const RunInput input = Input(kOneNode, "j,<b>,x,0,9,1,,\n");
  const Summary summary = Summarise("fifo", input, Watched(input));
  const std::string page = FormatHtml({&summary, 1});
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<b></td>"), std::string::npos);
  EXPECT_NE(page.find("&lt;b&gt;"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
}

std::string RandomRows(SeededRandom& random) {
  std::string rows;
  for (int j = 0; j < 40; ++j) {
    const std::uint64_t gpus = 1 + random.Below(4);
    rows += "j" + std::to_string(j) + ",u" + std::to_string(random.Below(4)) + "," +
            (random.Below(2) == 0 ? "x" : "y") + "," + std::to_string(random.Below(300)) + "," +
            std::to_string(1 + random.Below(120)) + "," + std::to_string(gpus) + "," +
            (random.Below(3) == 0 ? "0.5" : "") + "," +
            (gpus == 4 && random.Below(2) == 0 ? "2" : "") + "\n";
  }
  return rows;
}

TEST(Run, KeepsEveryInvariantOnRandomListsAndRepeatsItself) {
  constexpr std::string_view kCluster = R"({"nodes": [{"name": "n", "count": 3, "gpus": 4}],
    "departments": [{"name": "d"}],
    "projects": [{"name": "x", "quota": 6, "department": "d"}, {"name": "y", "quota": 3}]})";
  const auto chosen = static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed));
  for (std::uint64_t seed = chosen; seed < (chosen == 0 ? 40 : chosen + 1); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SeededRandom random(seed);
    RunInput input = Input(kCluster, RandomRows(random));
    input.cluster.policy.fairness = static_cast<sched::Fairness>(random.Below(4));
    input.cluster.policy.preemption = static_cast<sched::Preemption>(random.Below(2));
    input.cluster.policy.backfill = static_cast<sched::Backfill>(random.Below(2));
    input.cluster.policy.max_moves = static_cast<std::int32_t>(random.Below(3));
    input.faults =
        *ParseFaults("time_s,node,state\n50,n-0,down\n60,n-0,up\n70,n-0,down\n90,n-0,up\n");
    const RunResult result = Watched(input);
    ASSERT_FALSE(HasFailure());
    const Summary first = Summarise("p", input, result);
    const Summary again = Summarise("p", input, *sim::Run(input));
    ASSERT_EQ(first.ended, 40);
    ASSERT_EQ(FormatJson({&first, 1}), FormatJson({&again, 1}));
    ASSERT_TRUE(ParseJson(FormatJson({&first, 1})).has_value());
  }
}

}  // namespace
}  // namespace yard::sim
