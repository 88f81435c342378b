#include "control/study/engine.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "control/testing/study_lab.h"

namespace yard::control {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view kPlain = R"({
  "objectives":[{"metric":"loss"}],
  "parameters":[{"name":"x","low":0,"high":1},{"name":"opt","choices":["adam","sgd"]}],
  "derived":[{"name":"double","expression":"x * 2"}],
  "maxTrials":6,"concurrency":2,"seed":7,"workload":{"command":"train ${x}"}})";

std::string With(std::string_view more) {
  return std::string(kPlain.substr(0, kPlain.size() - 1)) + "," + std::string(more) + "}";
}

struct Lab : StudyLab {
  explicit Lab(std::string_view spec = kPlain) : StudyLab(spec) {}
};

TEST(StudyEngine, SubmitsAsManyTrialsAsMayRunAtATime) {
  Lab lab;
  EXPECT_EQ(lab.Step().submit, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(lab.Step().submit, std::vector<std::size_t>{});
  lab.Reports(0, 1, 0.5);
  lab.End(0);
  EXPECT_EQ(lab.Step().submit, std::vector<std::size_t>{2});
  EXPECT_EQ(lab.trial(0).phase, TrialPhase::kComplete);
  EXPECT_EQ(lab.trial(0).results, std::vector<double>{0.5});
}

TEST(StudyEngine, IsCompleteOnceTheBudgetIsSpent) {
  Lab lab;
  for (int i = 0; i < 4; ++i) {
    lab.Step();
    lab.EndAll();
  }
  lab.Step();
  EXPECT_EQ(lab.state(), StudyState::kCompleted);
  EXPECT_EQ(lab.engine().trials().size(), 6U);
  ASSERT_TRUE(lab.engine().Extend({.trials = 8}, lab.now()));
  EXPECT_EQ(lab.Step().submit.size(), 2U);
}

TEST(StudyEngine, GoesOnAlikeAfterEveryRestart) {
  const std::string spec = R"({
    "objectives":[{"metric":"loss"}],
    "parameters":[{"name":"x","low":0,"high":1},{"name":"opt","choices":["adam","sgd"]}],
    "maxTrials":15,"repeats":2,"concurrency":2,"seed":7,"workload":{"command":"train"}})";
  auto run = [&](bool restart) {
    Lab lab(spec);
    for (int i = 0; i < 40 && lab.state() == StudyState::kRunning; ++i) {
      lab.Step();
      if (restart) lab.Restart();
      lab.EndAll();
      if (restart) lab.Restart();
    }
    std::vector<std::vector<double>> tried;
    for (const StudyTrial& trial : lab.engine().trials()) tried.push_back(trial.values);
    return tried;
  };
  std::vector<std::vector<double>> plain = run(false);
  EXPECT_EQ(plain.size(), 30U);
  EXPECT_EQ(plain, run(true));
}

TEST(StudyEngine, RepeatsHaveTheParametersAndDerivedValuesOfTheirFirst) {
  Lab lab(With(R"("repeats":2)"));
  lab.Step();
  EXPECT_EQ(lab.trial(1).repeat_of, 0);
  EXPECT_EQ(lab.trial(1).values, lab.trial(0).values);
  EXPECT_EQ(lab.trial(1).derived, lab.trial(0).derived);
  EXPECT_DOUBLE_EQ(lab.trial(0).derived[0], lab.trial(0).values[0] * 2);
}

TEST(StudyEngine, ATrialWithoutAReportFails) {
  Lab lab;
  lab.Step();
  lab.End(0);
  EXPECT_EQ(lab.trial(0).phase, TrialPhase::kFailed);
  EXPECT_EQ(lab.trial(0).message, "It ended without a report of 'loss'.");
}

TEST(StudyEngine, NotANumberAsTheLastValueFails) {
  Lab lab;
  lab.Step();
  lab.Reports(0, 1, 0.5);
  lab.Reports(0, 2, kNan);
  lab.End(0);
  EXPECT_EQ(lab.trial(0).phase, TrialPhase::kFailed);
  EXPECT_EQ(lab.trial(0).message, "It reported nan as 'loss'.");
}

TEST(StudyEngine, TheBestReportCountsWhereTheSpecSaysSo) {
  Lab lab(R"({"objectives":[{"metric":"r","direction":"maximize","result":"best"}],
              "parameters":[{"name":"x","low":0,"high":1}],"workload":{"command":"t"}})");
  lab.Step();
  lab.Reports(0, 1, 2);
  lab.Reports(0, 2, 5);
  lab.Reports(0, 3, kNan);
  lab.Reports(0, 4, 3);
  lab.End(0);
  EXPECT_EQ(lab.trial(0).results, std::vector<double>{5});
}

TEST(StudyEngine, PausesWhenTrialsFailInARow) {
  Lab lab(With(R"("maxFailures":2)"));
  lab.Step();
  lab.End(0, WorkEnd::How::kFailed);
  lab.Step();
  EXPECT_EQ(lab.state(), StudyState::kRunning);
  lab.End(1, WorkEnd::How::kFailed);
  EXPECT_EQ(lab.state(), StudyState::kPaused);
  EXPECT_NE(lab.engine().study().message.find("The last 2 trials failed"), std::string::npos);
  lab.End(2, WorkEnd::How::kFailed);
  EXPECT_TRUE(lab.Step().submit.empty());
  ASSERT_TRUE(lab.engine().Resume(lab.now()));
  EXPECT_EQ(lab.Step().submit.size(), 2U);
}

TEST(StudyEngine, ARefusedSubmissionPausesAndIsTriedAgainOnResume) {
  Lab lab;
  StudyOrders orders = lab.engine().Step(kStart, [] { return WorkloadId{}; });
  ASSERT_EQ(orders.submit.size(), 2U);
  lab.engine().Submitted(1);
  lab.engine().Refused(0, {Code::kForbidden, "the policy says no"}, lab.now());
  EXPECT_EQ(lab.state(), StudyState::kPaused);
  EXPECT_EQ(lab.engine().study().message, "Trial 0 could not be submitted: the policy says no");
  ASSERT_TRUE(lab.engine().Resume(lab.now()));
  EXPECT_EQ(lab.Step().submit, std::vector<std::size_t>{0});
}

TEST(StudyEngine, WhatCannotBeSubmittedForAMomentIsTriedAgain) {
  Lab lab;
  lab.engine().Step(kStart, [] { return WorkloadId{}; });
  lab.engine().Refused(0, {Code::kUnavailable, "the disk is full"}, lab.now());
  EXPECT_EQ(lab.Step().wake, kStart + Seconds(1));
  lab.Advance(Seconds(1));
  EXPECT_EQ(lab.Step().submit, std::vector<std::size_t>{0});
}

TEST(StudyEngine, StopsAHopelessTrialEarly) {
  Lab lab(With(R"("pruner":{"type":"threshold","upper":10})"));
  lab.Step();
  lab.Reports(0, 1, 11);
  EXPECT_EQ(lab.Step().cancel, std::vector<std::size_t>{0});
  EXPECT_EQ(lab.Step().cancel, std::vector<std::size_t>{});
  lab.Restart();
  EXPECT_EQ(lab.Step().cancel, std::vector<std::size_t>{0});
  lab.End(0, WorkEnd::How::kCancelled);
  EXPECT_EQ(lab.trial(0).phase, TrialPhase::kPruned);
}

TEST(StudyEngine, ATrialThatSomebodyCancelledFails) {
  Lab lab;
  lab.Step();
  lab.Reports(0, 1, 0.5);
  lab.End(0, WorkEnd::How::kCancelled);
  EXPECT_EQ(lab.trial(0).phase, TrialPhase::kFailed);
  EXPECT_EQ(lab.trial(0).message, "It said so.");
}

TEST(StudyEngine, ReportsAfterTheEndAreRefused) {
  Lab lab;
  lab.Step();
  lab.Reports(0, 1, 0.5);
  lab.End(0);
  Status late = lab.engine().Report(0, {.step = 2, .values = {0.1}});
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().code, Code::kPrecondition);
  lab.Reports(0, 3, 0.1);
  EXPECT_EQ(lab.trial(0).results, std::vector<double>{0.5});
}

TEST(StudyEngine, TheSecondReportOfAStepIsAConflict) {
  Lab lab;
  lab.Step();
  ASSERT_TRUE(lab.engine().Report(0, {.step = 2, .values = {0.1}}));
  Status again = lab.engine().Report(0, {.step = 2, .values = {0.9}});
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, Code::kConflict);
  EXPECT_EQ(lab.trial(0).reports[0].value, 0.1);
}

TEST(StudyEngine, AReportAfterTheLastStepThereIsIsTaken) {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  Lab lab;
  lab.Step();
  ASSERT_TRUE(lab.engine().Report(0, {.step = kLast, .values = {0.1}}));
  ASSERT_TRUE(lab.engine().Report(0, {.step = std::nullopt, .values = {0.2}}));
  EXPECT_EQ(lab.trial(0).reports.back().step, kLast);
}

TEST(StudyEngine, StoppingCancelsWhatRuns) {
  Lab lab;
  lab.Step();
  ASSERT_TRUE(lab.engine().Stop("ann", lab.now()));
  EXPECT_EQ(lab.Step().cancel, (std::vector<std::size_t>{0, 1}));
  lab.End(0, WorkEnd::How::kCancelled);
  lab.End(1, WorkEnd::How::kCancelled);
  EXPECT_TRUE(lab.Step().submit.empty());
  EXPECT_EQ(lab.state(), StudyState::kStopped);
}

TEST(StudyEngine, NothingBeginsAfterItsTimeOrItsGpuHours) {
  Lab timed(R"({"objectives":[{"metric":"loss"}],"parameters":[{"name":"x","low":0,"high":1}],
                "maxDurationSeconds":60,"workload":{"command":"t"}})");
  EXPECT_EQ(timed.Step().wake, kStart + Seconds(60));
  timed.Advance(Seconds(60));
  timed.Reports(0, 1, 1);
  timed.End(0);
  EXPECT_TRUE(timed.Step().submit.empty());
  EXPECT_EQ(timed.state(), StudyState::kCompleted);
  Lab hours(R"({"objectives":[{"metric":"loss"}],"parameters":[{"name":"x","low":0,"high":1}],
                "maxGpuHours":1,"workload":{"command":"t"}})");
  hours.Step();
  hours.Reports(0, 1, 1);
  hours.End(0);
  hours.Step();
  EXPECT_EQ(hours.state(), StudyState::kCompleted);
}

TEST(StudyEngine, ProgramsAskAndTell) {
  Lab lab(R"({"objectives":[{"metric":"loss"}],"parameters":[{"name":"x","low":0,"high":1}],
              "maxTrials":2})");
  EXPECT_TRUE(lab.Step().submit.empty());
  EXPECT_EQ(lab.engine().Ask(lab.now()).value(), 0);
  ASSERT_TRUE(lab.engine().Tell(0, {.results = {0.4}}, lab.now()));
  EXPECT_FALSE(lab.engine().Tell(0, {.results = {0.4}}, lab.now()));
  EXPECT_EQ(lab.engine().Ask(lab.now()).value(), 1);
  ASSERT_TRUE(lab.engine().Tell(1, {.phase = TrialPhase::kFailed}, lab.now()));
  EXPECT_FALSE(lab.engine().Ask(lab.now()));
  lab.Step();
  EXPECT_EQ(lab.state(), StudyState::kCompleted);
}

TEST(StudyEngine, HoldsABoundedNumberOfTrialsAndReports) {
  constexpr std::string_view kEndless =
      R"({"objectives":[{"metric":"loss"}],"parameters":[{"name":"x","low":0,"high":1}]})";
  StudyEngine engine = *StudyEngine::Make(StudyOf(kEndless), {},
                                          {.trials = 3, .reports_of_a_trial = 2, .reports = 3});
  EXPECT_EQ(engine.Ask(kStart).value(), 0);
  EXPECT_EQ(engine.Ask(kStart).value(), 1);
  for (std::int64_t trial : {0, 1}) {
    for (int step = 0; step < 5; ++step)
      ASSERT_TRUE(engine.Report(trial, {.step = step, .values = {1.0 - step}}));
  }
  EXPECT_EQ(engine.trials()[0].reports.size(), 2U);
  EXPECT_EQ(engine.trials()[1].reports.size(), 1U);
  ASSERT_TRUE(engine.Tell(1, {}, kStart)) << "the last value counts all the same";
  EXPECT_EQ(engine.trials()[1].results, std::vector<double>{-3});
  ASSERT_TRUE(engine.Add({0.5}, std::nullopt, kStart));
  EXPECT_FALSE(engine.Add({0.6}, std::nullopt, kStart));
  EXPECT_FALSE(engine.Ask(kStart));
  EXPECT_FALSE(engine.Extend({.trials = 10}, kStart) && engine.Ask(kStart));
}

TEST(StudyEngine, ATrialByHandIsSubmittedOrToldAtOnce) {
  Lab lab;
  lab.Step();
  Result<std::int64_t> run = lab.engine().Add({0.25, 1}, std::nullopt, lab.now());
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(lab.Step().submit, std::vector<std::size_t>{2});
  Result<std::int64_t> told = lab.engine().Add({0.5, 0}, TrialOutcome{.results = {9}}, lab.now());
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(lab.trial(3).phase, TrialPhase::kComplete);
  EXPECT_FALSE(lab.engine().Add({7, 0}, std::nullopt, lab.now()));
}

}  // namespace
}  // namespace yard::control
