#include <string>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "base/trusted_json.h"
#include "control/testing/study_lab.h"

namespace yard::control {
namespace {

constexpr std::string_view kPopulation = R"({
  "objectives":[{"metric":"loss"}],
  "parameters":[{"name":"lr","low":0.001,"high":1,"log":true},{"name":"width","low":1,"high":9}],
  "sampler":"random","maxTrials":4,"concurrency":4,"seed":7,"checkpoints":"/shared/ckpt",
  "pruner":{"type":"pbt","intervalSteps":10,"parameters":["lr"]},
  "workload":{"command":"train"}})";

constexpr std::string_view kRungs = R"({
  "objectives":[{"metric":"loss"}],"parameters":[{"name":"x","low":0,"high":1}],
  "maxTrials":6,"concurrency":2,"seed":7,"checkpoints":"/shared/ckpt",
  "pruner":{"type":"asha","minSteps":1,"maxSteps":9,"reduction":3,"promote":true},
  "workload":{"command":"train"}})";

// All four have reached step 10; trial 2 is the worst, trial 1 the best.
void ReachTheInterval(StudyLab& lab) {
  lab.Step();
  for (std::size_t trial : {0, 1, 3}) lab.Reports(trial, 10, trial == 1 ? 0.5 : 1.5);
  lab.Reports(2, 10, 9);
}

std::string VariableOf(const StudyLab& lab, std::size_t trial, std::string_view name) {
  Result<json::value> spec =
      ParseTrustedJson(wire::TrialSpec(lab.engine().study(), lab.trial(trial)));
  for (const json::value& one : spec->at("environmentVariables").as_array()) {
    if (one.at("name").as_string() == name) return std::string(one.at("value").as_string());
  }
  return "";
}

TEST(Population, TheWorstStopsAndASuccessorOfTheBestTakesItsPlace) {
  StudyLab lab(kPopulation);
  ReachTheInterval(lab);
  EXPECT_EQ(lab.trial(2).successor_from, 1);
  StudyOrders orders = lab.Step();
  EXPECT_EQ(orders.cancel, std::vector<std::size_t>{2});
  EXPECT_TRUE(orders.submit.empty()) << "its place is not free yet";
  lab.End(2, WorkEnd::How::kCancelled);
  EXPECT_EQ(lab.Step().submit, std::vector<std::size_t>{4});
  EXPECT_EQ(lab.trial(2).phase, TrialPhase::kPruned);
  const StudyTrial& successor = lab.trial(4);
  EXPECT_EQ(successor.continues, 2);
  EXPECT_EQ(successor.resumes_from, 1);
  EXPECT_EQ(successor.origin, "pbt");
  EXPECT_NE(successor.values[0], lab.trial(1).values[0]);
  EXPECT_NEAR(successor.values[1], lab.trial(1).values[1], 1e-12) << "it is not to be changed";
  const std::string own = VariableOf(lab, 4, "GPUYARD_CHECKPOINT_DIR");
  EXPECT_TRUE(own.starts_with("/shared/ckpt/search-") && own.ends_with("/4")) << own;
  EXPECT_EQ(VariableOf(lab, 4, "GPUYARD_RESUME_FROM"),
            VariableOf(lab, 1, "GPUYARD_CHECKPOINT_DIR"));
  EXPECT_EQ(VariableOf(lab, 1, "GPUYARD_RESUME_FROM"), "");
}

TEST(Population, SuccessorsAreNotPartOfTheBudgetAndTheStudyWaitsForThem) {
  StudyLab lab(kPopulation);
  ReachTheInterval(lab);
  for (std::size_t trial : {0, 1, 3}) lab.End(trial);
  lab.End(2, WorkEnd::How::kCancelled);
  EXPECT_EQ(lab.Step().submit, std::vector<std::size_t>{4});
  EXPECT_EQ(lab.state(), StudyState::kRunning);
  lab.Reports(4, 20, 0.1);
  lab.End(4);
  lab.Step();
  EXPECT_EQ(lab.state(), StudyState::kCompleted);
  EXPECT_EQ(lab.engine().trials().size(), 5U);
}

TEST(Population, AnyMomentOfACrashGivesTheSameSuccessor) {
  auto run = [](int crash) {
    StudyLab lab(kPopulation);
    ReachTheInterval(lab);
    if (crash == 1) lab.Restart();
    lab.Step();
    if (crash == 2) lab.Restart();
    lab.End(2, WorkEnd::How::kCancelled);
    if (crash == 3) lab.Restart();
    lab.Step();
    if (crash == 4) lab.Restart();
    EXPECT_TRUE(lab.Step().submit.empty());
    EXPECT_EQ(lab.engine().trials().size(), 5U);
    return lab.trial(4).values;
  };
  const std::vector<double> calm = run(0);
  for (int crash : {1, 2, 3, 4}) EXPECT_EQ(run(crash), calm) << crash;
}

TEST(Population, ASuccessorWithNothingLeftToDoIsAsGoodAsItsSource) {
  StudyLab lab(kPopulation);
  ReachTheInterval(lab);
  lab.Step();
  lab.End(2, WorkEnd::How::kCancelled);
  lab.Step();
  lab.End(4);
  EXPECT_EQ(lab.trial(4).phase, TrialPhase::kComplete);
  EXPECT_EQ(lab.trial(4).results, std::vector<double>{0.5});
}

TEST(Population, ATrialThatEndsByItselfHasNoSuccessor) {
  StudyLab lab(kPopulation);
  ReachTheInterval(lab);
  lab.Step();
  lab.End(2);
  EXPECT_TRUE(lab.Step().submit.empty());
  EXPECT_EQ(lab.trial(2).phase, TrialPhase::kComplete);
}

TEST(Population, APausedStudyBeginsNoSuccessor) {
  StudyLab lab(kPopulation);
  ReachTheInterval(lab);
  ASSERT_TRUE(lab.engine().Pause(lab.now()));
  EXPECT_EQ(lab.Step().cancel, std::vector<std::size_t>{2});
  lab.End(2, WorkEnd::How::kCancelled);
  EXPECT_TRUE(lab.Step().submit.empty());
  lab.Restart();
  ASSERT_TRUE(lab.engine().Resume(lab.now()));
  EXPECT_EQ(lab.Step().submit, std::vector<std::size_t>{4});
}

TEST(Promotion, APausedTrialGoesOnFromItsOwnCheckpoint) {
  StudyLab lab(kRungs);
  for (std::size_t trial = 0; trial < 3; ++trial) {
    lab.Step();
    lab.Reports(trial, 1, static_cast<double>(trial));
    EXPECT_EQ(lab.Step().cancel, std::vector<std::size_t>{trial});
    lab.End(trial, WorkEnd::How::kCancelled);
  }
  // Of three at the first rung the best goes on.
  lab.Restart();
  lab.Step();
  ASSERT_EQ(lab.engine().trials().size(), 5U);
  EXPECT_EQ(lab.trial(4).continues, 0);
  EXPECT_EQ(lab.trial(4).resumes_from, 0);
  EXPECT_EQ(lab.trial(4).values, lab.trial(0).values);
  lab.Restart();
  lab.Reports(4, 3, 0);
  EXPECT_FALSE(lab.trial(4).stop_reason.empty()) << "the only one at the second rung";
  lab.End(4, WorkEnd::How::kCancelled);
  lab.Step();
  EXPECT_FALSE(lab.trial(5).continues) << "two more are tried before another may go on";
}

// It ended the server, and at each start again.
TEST(Promotion, OfALevelBesideALargeBoundBegins) {
  std::string spec(kRungs);
  const std::string range = R"("low":0,"high":1)";
  spec.replace(spec.find(range), range.size(), R"("low":1000,"high":1000.1,"step":1e-9)");
  StudyLab lab(spec);
  for (std::size_t trial = 0; trial < 3; ++trial) {
    lab.Step();
    lab.Reports(trial, 1, static_cast<double>(trial));
    lab.Step();
    lab.End(trial, WorkEnd::How::kCancelled);
  }
  lab.Restart();
  lab.Step();
  EXPECT_EQ(lab.trial(4).resumes_from, 0);
}

TEST(Handover, ImpossibleWishesAreRefusedByName) {
  auto problem = [](std::string spec) {
    Result<StudySpec> read = wire::ReadStudySpec(ParseJson(spec)->as_object());
    return read ? "" : read.error().message + read.error().details;
  };
  const std::string plain(kPopulation);
  auto with = [&](std::string_view old, std::string_view fresh) {
    std::string spec = plain;
    return problem(spec.replace(spec.find(old), old.size(), fresh));
  };
  EXPECT_EQ(problem(plain), "");
  EXPECT_NE(with(R"("/shared/ckpt")", R"("here")").find("absolute"), std::string::npos);
  EXPECT_NE(with(R"("/shared/ckpt")", R"("")").find("every trial sees"), std::string::npos);
  EXPECT_NE(with(R"("intervalSteps":10,)", "").find("intervalSteps"), std::string::npos);
  EXPECT_NE(with(R"(["lr"])", R"(["depth"])").find("has no 'depth'"), std::string::npos);
  EXPECT_NE(with(R"("seed":7)", R"("repeats":2)").find("repeats"), std::string::npos);
  EXPECT_NE(with(R"("type":"pbt")", R"("type":"median","promote":true)").find("asha only"),
            std::string::npos);
}

}  // namespace
}  // namespace yard::control
