#include "sim/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sched/forecast/forecast.h"
#include "sim/summary.h"

namespace yard::sim {
namespace {

Summary SummaryOf(RunInput input, sched::Fairness fairness) {
  input.cluster.policy.fairness = fairness;
  auto result = Run(input);
  EXPECT_TRUE(result.has_value()) << result.error().message;
  return Summarise("", input, *result);
}

// Of the colleagues in the hog's project, on average.
double WaitOfMates(const Summary& summary) {
  double sum = 0;
  for (const Account& user : summary.users) {
    if (user.name >= "u0" && user.name < "u5") sum += user.wait_s.mean / 5;
  }
  return sum;
}

TEST(Scenario, AHogDoesNotTakeItsProjectFromItsColleagues) {
  const Summary fair = SummaryOf(OneHog(), sched::Fairness::kFairShare);
  const Summary fifo = SummaryOf(OneHog(), sched::Fairness::kFifo);
  EXPECT_GE(fair.fairness_users, 0.9);
  EXPECT_GE(fair.gpus_at_work, 0.98 * fifo.gpus_at_work);
}

// Protected heads, one for each person, hide most of the difference: here there are none.
TEST(Scenario, PeopleTakeTurnsInAProjectWithoutProtectedHeadsToo) {
  RunInput by_use = OneHog();
  by_use.cluster.policy.backfill = sched::Backfill::kOff;
  RunInput in_line = by_use;
  in_line.cluster.policy.people = sched::People::kInLine;
  const Summary fair = SummaryOf(by_use, sched::Fairness::kFairShare);
  EXPECT_GE(fair.fairness_users, 0.9);
  EXPECT_LT(WaitOfMates(fair), WaitOfMates(SummaryOf(in_line, sched::Fairness::kFairShare)) / 2);
}

// What a person is told when a large job arrives.
class Told {
 public:
  Status operator()(const Step& step) {
    for (std::size_t w = 0; w < step.after.workloads.size(); ++w) {
      const sched::Workload& workload = step.after.workloads[w];
      if (!workload.name.starts_with("large-") || latest_.contains(workload.name)) continue;
      if (workload.state == sched::WorkloadState::kRunning) latest_[workload.name] = step.after.now;
      if (workload.state != sched::WorkloadState::kPending) continue;
      const sched::WorkloadIndex index(static_cast<std::int32_t>(w));
      const auto told = ForecastStart(step.after, step.policy, index, {});
      latest_[workload.name] = told.latest.value_or(step.after.now);
      if (!workload.rare->head) others_.insert(workload.name);
    }
    return {};
  }
  // Of the large jobs, those that began later than told.
  std::vector<std::string> Late(const RunInput& input, const RunResult& result) const {
    std::vector<std::string> late;
    for (std::size_t j = 0; j < input.jobs.size(); ++j) {
      const auto told = latest_.find(input.jobs[j].id);
      if (told == latest_.end()) continue;
      const Micros by = *result.outcomes[j].first_start - told->second;
      if (by.value <= 0) continue;
      late.push_back(input.jobs[j].id + " by " + std::to_string(by.value / 1'000'000) + " s" +
                     (others_.contains(told->first) ? ", not a head when it came" : ""));
    }
    return late;
  }
  std::size_t size() const { return latest_.size(); }

 private:
  std::map<std::string, Time> latest_;
  std::set<std::string> others_;  // that were no heads yet
};

std::vector<std::string> LateOf50(sched::Backfill backfill, Projects projects = Projects::kOne) {
  RunInput input = LargeJobsInAStream(3, projects);
  input.cluster.policy.backfill = backfill;
  Told told;
  auto result = Run(input, std::ref(told));
  EXPECT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(told.size(), 50U);
  return result ? told.Late(input, *result) : std::vector<std::string>();
}

TEST(Scenario, LargeJobsBeginWhenTheyWereToldUnderAStreamOfSmallOnes) {
  EXPECT_THAT(LateOf50(sched::Backfill::kHeads), ::testing::SizeIs(::testing::Le(2)));
}

TEST(Scenario, APromisedStartIsNotMovedByTheQuotaOfAnotherProject) {
  std::vector<std::string> late = LateOf50(sched::Backfill::kHeads, Projects::kTwo);
  std::erase_if(late,
                [](const std::string& one) { return one.ends_with("not a head when it came"); });
  EXPECT_THAT(late, ::testing::SizeIs(::testing::Le(1)));
}

// Two projects lend each other GPUs; what stands behind its owner's head counts, too.
TEST(Scenario, LargeJobsBeginWhenTheyWereToldWhereProjectsLendEachOther) {
  EXPECT_THAT(LateOf50(sched::Backfill::kHeads, Projects::kTwo),
              ::testing::SizeIs(::testing::Le(2)));
}

// No latest start counts as one that is not kept.
TEST(Scenario, WithoutProtectedHeadsNobodyCanSayWhenLargeJobsBegin) {
  EXPECT_GT(LateOf50(sched::Backfill::kOff).size(), 10U);
}

}  // namespace
}  // namespace yard::sim
