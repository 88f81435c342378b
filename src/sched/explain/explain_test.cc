#include "sched/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <fmt/format.h>

#include "sched/decide.h"
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

TEST(Why, EveryChangeItOffersIsTrueWhenTried) {
  std::size_t offered = 0;
  for (const WhyCase& why : ReadCases()) {
    const Cluster c = Build(why);
    Core core(c.snapshot(), c.policy());
    const WorkloadIndex index = c.Find(why.workload);
    for (const Advice& advice : WhatWouldHelp(core, index)) {
      Core tried(c.snapshot(), c.policy());
      for (const Change& change : advice.changes) Apply(tried, index, change);
      EXPECT_TRUE(Starts(Decide(tried), index))
          << why.text << ": " << Describe(advice.changes.front(), c.snapshot());
      ++offered;
    }
  }
  EXPECT_GE(offered, 60U);
}

// All changes, then what they cost: "with 1 GPU per task; stops r after 60 min".
std::string WordsOf(const Advice& advice, const Snapshot& snapshot) {
  std::string words;
  for (const Change& change : advice.changes) {
    words += (words.empty() ? "" : ", ") + Describe(change, snapshot);
  }
  for (const Loss& loss : advice.losses) {
    words += fmt::format("; stops {} after {} min",
                         snapshot.workloads[static_cast<std::size_t>(loss.victim.value)].name,
                         loss.ran.value / Minutes(1).value);
  }
  return words;
}

std::vector<std::string> Helps(const Cluster& c, std::string_view workload) {
  Core core(c.snapshot(), c.policy());
  std::vector<std::string> texts;
  for (const Advice& advice : WhatWouldHelp(core, c.Find(workload))) {
    texts.push_back(WordsOf(advice, c.snapshot()));
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

OrderTerms TermsOf(const Cluster& c, std::string_view workload) {
  Core core(c.snapshot(), c.policy());
  for (Waiter& waiter : OrderOfWaiting(core)) {
    if (waiter.workload == c.Find(workload)) return std::move(waiter.terms);
  }
  ADD_FAILURE() << workload << " does not wait";
  return {};
}

TEST(Queue, ShowsEveryTermOfTheOrderFromTheDepartmentToTheProject) {
  Cluster c("node a gpu=4; department d quota=2; project x in=d quota=2 priority=1");
  c.Running("x/r gpu=1").Pending("x/v gpu=1 age=2h; x/w gpu=2 age=1h");
  const OrderTerms terms = TermsOf(c, "x/w");
  EXPECT_EQ(terms.fairness, Fairness::kFairShare);
  EXPECT_EQ(terms.wants, MilliGpu(2000));
  EXPECT_EQ(terms.nth_gpu, std::nullopt);
  ASSERT_EQ(terms.queues.size(), 2U);
  EXPECT_EQ(c.snapshot().queues[0].name, "d");
  EXPECT_EQ(terms.queues[0].queue, QueueIndex(0));
  EXPECT_EQ(terms.queues[0].priority, 0);
  const QueueTerms& project = terms.queues[1];
  EXPECT_EQ(project.held, MilliGpu(1000));
  EXPECT_EQ(project.ahead, MilliGpu(1000)) << "x/v is served before";
  EXPECT_EQ(project.share, MilliGpu(4000));
  EXPECT_EQ(project.quota, MilliGpu(2000));
  EXPECT_EQ(project.priority, 1);
}

TEST(Queue, CountsThePersonsGpusWhereTheNthDecides) {
  Cluster c("node a gpu=2; project x quota=2; user ann");
  c.Running("x/r gpu=2 user=ann").Pending("x/w gpu=1 user=ann").Rules("nth");
  const OrderTerms terms = TermsOf(c, "x/w");
  EXPECT_EQ(terms.fairness, Fairness::kNthGpu);
  EXPECT_EQ(terms.nth_gpu, MilliGpu(3000));
  EXPECT_TRUE(terms.queues.empty());
}

TEST(Queue, ListsWorkInThePoolItTriesFirst) {
  Cluster c(
      "pool a; pool b; node n gpu=1 pool=a; node m gpu=1 pool=b; project x quota=2 pools=b,a");
  c.Running("x/r gpu=1 on=n; x/s gpu=1 on=m").Pending("x/w gpu=1");
  EXPECT_EQ(TermsOf(c, "x/w").pool, PoolIndex(1));
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
  EXPECT_EQ(never.reasons.front().cause, Cause::kNodeTooSmall);
  EXPECT_THAT(never.advice, Contains(Advice{{Change{Change::Kind::kFewerGpus, 4000}}, {}}));
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

TEST(Forecast, WorkThatOutlivedItsLearnedRunTimeIsExpectedToTakeTwiceAsLong) {
  Cluster c("node a gpu=2; project x quota=2");
  c.Running("x/r gpu=1 age=3h runtime=2h; x/s gpu=1 age=3h runtime=2h limit=210m");
  c.Pending("x/1 gpu=1 limit=1h; x/2 gpu=2").Rules("heads");
  EXPECT_EQ(ForecastStart(c.snapshot(), c.policy(), c.Find("x/1"), {}).earliest,
            c.snapshot().now + Minutes(30));
  EXPECT_EQ(ForecastStart(c.snapshot(), c.policy(), c.Find("x/2"), {}).latest,
            c.snapshot().now + Minutes(90));
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

// x/w borrows; whatever comes of y within its quota goes before it.
TEST(Forecast, WorkThatOthersPassForEverHasNoLatestStart) {
  Cluster c("node a gpu=1; project x quota=0; project y quota=1");
  c.Running("y/r gpu=1 age=1h limit=2h").Pending("x/w gpu=1 limit=1h").Rules("heads");
  const Forecast forecast = ForecastStart(c.snapshot(), c.policy(), c.Find("x/w"), {});
  EXPECT_EQ(forecast.earliest, c.snapshot().now + Hours(1));
  EXPECT_FALSE(forecast.latest.has_value());
}

// The owner's first workload has a planned start, the second one not yet: small work of others that
// comes meanwhile takes what is free.
TEST(Forecast, TheLatestStartCountsWithThoseWhoComeLater) {
  Cluster c("node a gpu=2; project x quota=2; user l; user s");
  c.Running("x/r gpu=1 age=1h limit=3h user=s; x/s gpu=1 age=1h limit=2h user=s");
  c.Pending("x/first gpu=2 limit=1h age=2h user=l; x/second gpu=2 limit=1h age=1h user=l");
  c.Rules("heads");
  const Forecast forecast = ForecastStart(c.snapshot(), c.policy(), c.Find("x/second"), {});
  EXPECT_EQ(forecast.earliest, c.snapshot().now + Hours(3));
  ASSERT_TRUE(forecast.latest.has_value());
  EXPECT_GT(*forecast.latest, *forecast.earliest);
}

TEST(Forecast, KnowsWhenAGuardIsOver) {
  Cluster c("node a gpu=2; project x quota=2; project y quota=0 reclaimafter=1h");
  c.Running("y/r gpu=2 age=30m").Pending("x/w gpu=2");
  const Forecast forecast = ForecastStart(c.snapshot(), c.policy(), c.Find("x/w"), {});
  EXPECT_EQ(forecast.earliest, c.snapshot().now + Minutes(30));
  EXPECT_EQ(forecast.basis, Basis::kTurns);
}

TEST(Forecast, AdmitsThatItDoesNotKnow) {
  Cluster c("node a gpu=1; project x quota=1");
  c.Running("x/endless gpu=1").Pending("x/w gpu=1");
  const Forecast forecast = ForecastStart(c.snapshot(), c.policy(), c.Find("x/w"), {});
  EXPECT_FALSE(forecast.earliest.has_value());
  EXPECT_EQ(forecast.basis, Basis::kUnknown);
}

TEST(Explain, NamesTheTrueReasonBesideAnEmptyPool) {
  Cluster c("pool a; pool b; node n gpu=4 pool=a; project x limit=1");
  c.Running("x/1 gpu=1").Pending("x/2 gpu=1");
  EXPECT_EQ(c.Why("x/2"), "overLimit");
}

}  // namespace
}  // namespace yard::sched
