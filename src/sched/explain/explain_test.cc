#include "sched/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "sched/decide.h"
#include "sched/explain/standing.h"
#include "sched/explain/waiting.h"
#include "sched/explain/what_if.h"
#include "sched/forecast/forecast.h"
#include "sched/testing/cluster.h"

namespace yard::sched {
namespace {

using testing::Contains;
using testing::ElementsAre;

constexpr const char* kCases = "src/sched/testing/why_cases.txt";

bool Starts(const Plan& plan, WorkloadIndex index) {
  return std::ranges::find(plan.starts, index, &Start::workload) != plan.starts.end();
}

struct WhyCase {
  std::string text;
  std::vector<std::string> parts;  // cluster, running, waiting, rules
  std::string workload;
  std::string cause;
};

std::vector<WhyCase> ReadCases() {
  std::vector<WhyCase> cases;
  std::ifstream file(kCases);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto arrow = line.find("=> ");
    WhyCase made{line, {}, "", ""};
    std::string part;
    for (const char c : line.substr(0, arrow) + "@") {
      if (c != '@') {
        part += c;
        continue;
      }
      made.parts.push_back(part);
      part.clear();
    }
    const auto words = Cut(line.substr(arrow + 3), ' ');
    made.workload = words.at(0);
    made.cause = words.at(1);
    cases.push_back(std::move(made));
  }
  return cases;
}

Cluster Build(const WhyCase& why) {
  Cluster c(why.parts.at(0));
  c.Running(why.parts.at(1)).Pending(why.parts.at(2)).Rules(why.parts.at(3));
  return c;
}

TEST(Why, NamesTheDominantCauseInAHundredSituations) {
  const auto cases = ReadCases();
  ASSERT_GE(cases.size(), 100U);
  for (const WhyCase& why : cases) {
    const Cluster c = Build(why);
    Core core(c.snapshot(), c.policy());
    const Explanation explained = Explain(core, c.Find(why.workload));
    const std::string cause =
        explained.verdict == Verdict::kStarts ? "starts" : CauseName(explained.dominant.cause);
    EXPECT_EQ(cause, why.cause) << why.text;
    EXPECT_FALSE(Sentence(explained.dominant, c.snapshot()).empty());
  }
}

TEST(Standing, SaysWhatAProjectHoldsOfItsShareAndQuota) {
  Cluster c("node a gpu=4; project x quota=2; project y quota=2");
  c.Running("x/r gpu=3").Pending("x/w gpu=1");
  Core core(c.snapshot(), c.policy());
  const Standing standing = StandingOf(core, c.Find("x/w"));
  EXPECT_EQ(standing.fairness, Fairness::kFairShare);
  EXPECT_EQ(standing.project.held, MilliGpu(3000));
  EXPECT_EQ(standing.project.share, MilliGpu(4000));
  EXPECT_EQ(standing.project.quota, MilliGpu(2000));
  EXPECT_EQ(standing.wants, MilliGpu(1000));
  EXPECT_EQ(standing.user_held, std::nullopt);
}

TEST(Standing, CountsThePersonsGpusUnderTheNthGpuRule) {
  Cluster c("node a gpu=2; project x quota=2; user ann");
  c.Running("x/r gpu=2 user=ann").Pending("x/w gpu=1 user=ann").Rules("nth");
  Core core(c.snapshot(), c.policy());
  const Standing standing = StandingOf(core, c.Find("x/w"));
  EXPECT_EQ(standing.fairness, Fairness::kNthGpu);
  EXPECT_EQ(standing.user_held, MilliGpu(2000));
}

TEST(Why, EveryChangeItOffersIsTrueWhenTried) {
  std::size_t offered = 0;
  for (const WhyCase& why : ReadCases()) {
    const Cluster c = Build(why);
    Core core(c.snapshot(), c.policy());
    const WorkloadIndex index = c.Find(why.workload);
    for (const Change& change : WhatWouldHelp(core, index)) {
      Core tried(c.snapshot(), c.policy());
      Apply(tried, index, change);
      EXPECT_TRUE(Starts(Decide(tried), index))
          << why.text << ": " << Describe(change, c.snapshot());
      ++offered;
    }
  }
  EXPECT_GE(offered, 60U);
}

std::vector<std::string> Helps(const Cluster& c, std::string_view workload) {
  Core core(c.snapshot(), c.policy());
  std::vector<std::string> texts;
  for (const Change& change : WhatWouldHelp(core, c.Find(workload))) {
    texts.push_back(Describe(change, c.snapshot()));
  }
  return texts;
}

TEST(Why, SaysThatFewerGpusWouldStartNow) {
  Cluster c("node a gpu=4; project x quota=4");
  c.Running("x/r gpu=2").Pending("x/w gpu=4");
  EXPECT_THAT(Helps(c, "x/w"), Contains("with 2 GPU per task"));
}

TEST(Why, SaysThatAnotherPoolWouldDo) {
  Cluster c(
      "pool prod; pool dev; node p gpu=1 pool=prod; node d gpu=1 pool=dev; "
      "project x quota=4 pools=prod");
  c.Running("x/r gpu=1 on=p").Pending("x/w gpu=1");
  EXPECT_THAT(Helps(c, "x/w"), Contains("on pool dev"));
}

TEST(Why, SaysThatQuotaOrPreemptibilityWouldDo) {
  Cluster c("node a gpu=4; project x quota=1");
  c.Pending("x/w gpu=2 np");
  EXPECT_THAT(Helps(c, "x/w"), Contains("as preemptible"));
  EXPECT_THAT(Helps(c, "x/w"), Contains("if the quota of x in pool default were 1 GPU larger"));
}

TEST(Why, NamesWhoIsAheadAndThePosition) {
  Cluster c("node a gpu=1; project x quota=1");
  c.Running("x/r gpu=1").Pending("x/1 gpu=1 age=3h; x/2 gpu=1 age=2h; x/3 gpu=1 age=1h");
  Core core(c.snapshot(), c.policy());
  const Explanation explained = Explain(core, c.Find("x/3"));
  EXPECT_EQ(explained.position, 3);
  EXPECT_THAT(explained.ahead, ElementsAre(c.Find("x/1"), c.Find("x/2")));
}

std::string TermsText(const Cluster& c, std::string_view workload) {
  Core core(c.snapshot(), c.policy());
  std::string text;
  for (const Waiter& waiter : OrderOfWaiting(core)) {
    if (waiter.workload != c.Find(workload)) continue;
    for (const OrderTerm& term : waiter.terms) text += term.name + "=" + term.value + " ";
  }
  return text;
}

TEST(Queue, ShowsEveryTermOfTheOrderFromTheDepartmentToTheWorkload) {
  Cluster c("node a gpu=4; department d quota=2; project x in=d quota=2 priority=1");
  c.Running("x/r gpu=1").Pending("x/w gpu=2 prio=60 age=1h");
  EXPECT_EQ(TermsText(c, "x/w"),
            "d.withinShare=yes d.withinQuotaWithIt=no d.priority=0 d.shareGpu=3 "
            "d.usedOfShareWithIt=1 d.usedOfShare=0.333 "
            "x.withinShare=yes x.withinQuotaWithIt=no x.priority=1 x.shareGpu=3 "
            "x.usedOfShareWithIt=1 x.usedOfShare=0.333 "
            "workload.priority=60 workload.submitted=1970-04-10T23:00:00Z ");
}

TEST(Queue, ShowsTheNthGpuWhereItDecides) {
  Cluster c("node a gpu=1; project x; user u");
  c.Running("x/r gpu=1 user=u").Pending("x/w gpu=1 user=u uprio=2").Rules("nth");
  EXPECT_EQ(TermsText(c, "x/w"),
            "user.nthGpu=2 user.priority=2 workload.submitted=1970-04-11T00:00:00Z ");
}

TEST(Why, TellsNodeByNodeWhatIsMissing) {
  Cluster c("node a gpu=4; node b gpu=4 cpu=2; node c gpu=4 down; project x quota=8");
  c.Running("x/r gpu=3 on=a").Pending("x/w gpu=2 cpu=3; x/v gpu=2 cpu=2");
  Core core(c.snapshot(), c.policy());
  const Explanation explained = Explain(core, c.Find("x/w"));
  ASSERT_EQ(explained.nodes.size(), 3U);
  EXPECT_EQ(explained.nodes[0].gap.cause, Cause::kGpus);
  EXPECT_EQ(explained.nodes[0].gap.has, 1000);
  EXPECT_EQ(explained.nodes[2].gap.cause, Cause::kNoNodes);
}

TEST(Never, IsSaidAtSubmitWithTheSmallestChange) {
  Cluster c("node a gpu=4; project x quota=8");
  c.Running("x/r gpu=4").Pending("x/w gpu=8");
  const auto& w = c.snapshot().workloads[1];
  const Possibility never = CheckEver(c.snapshot(), c.policy(), w);
  EXPECT_FALSE(never.ever);
  EXPECT_EQ(never.reason.cause, Cause::kNodeTooSmall);
  EXPECT_THAT(never.changes, Contains(Change{Change::Kind::kFewerGpus, 4000}));
  EXPECT_TRUE(CheckEver(c.snapshot(), c.policy(), c.snapshot().workloads[0]).ever);
}

TEST(Forecast, RunsForwardToTheEndOfWhatIsInTheWay) {
  Cluster c("node a gpu=2; project x quota=2");
  c.Running("x/r gpu=2 age=1h limit=5h runtime=3h").Pending("x/1 gpu=2 limit=1h; x/2 gpu=2");
  const Forecast first = ForecastStart(c.snapshot(), c.policy(), c.Find("x/1"), {});
  EXPECT_EQ(first.earliest, c.snapshot().now + Hours(2));
  EXPECT_EQ(first.latest, c.snapshot().now + Hours(4));
  EXPECT_EQ(first.basis, Basis::kRuntimes);
  const Forecast second = ForecastStart(c.snapshot(), c.policy(), c.Find("x/2"), {});
  EXPECT_EQ(second.earliest, c.snapshot().now + Hours(3));
}

TEST(Forecast, WithCoarseStepsTheBoundsHoldWhatTheExactOneSays) {
  Cluster c("node a gpu=2; project x quota=2");
  c.Running("x/r gpu=1 age=1h limit=9h; x/s gpu=1 age=1h limit=510m").Pending("x/w gpu=2");
  const Horizon coarse{.grain = Grain::kCoarse};
  const Forecast exact = ForecastStart(c.snapshot(), c.policy(), c.Find("x/w"), {});
  const Forecast wide = ForecastStart(c.snapshot(), c.policy(), c.Find("x/w"), coarse);
  EXPECT_EQ(exact.earliest, c.snapshot().now + Hours(8));
  EXPECT_EQ(wide.earliest, c.snapshot().now + Minutes(450));
  EXPECT_GE(wide.latest, exact.latest);
  EXPECT_LE(wide.latest, c.snapshot().now + Hours(9));
}

TEST(Forecast, AdmitsThatItDoesNotKnow) {
  Cluster c("node a gpu=1; project x quota=1");
  c.Running("x/endless gpu=1").Pending("x/w gpu=1");
  const Forecast forecast = ForecastStart(c.snapshot(), c.policy(), c.Find("x/w"), {});
  EXPECT_FALSE(forecast.earliest.has_value());
  EXPECT_EQ(forecast.basis, Basis::kUnknown);
}

}  // namespace
}  // namespace yard::sched
