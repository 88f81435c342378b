#include "control/study/earlier.h"

#include <gtest/gtest.h>

#include "control/testing/study_lab.h"

namespace yard::control {
namespace {

constexpr std::string_view kBefore = R"({
  "objectives":[{"metric":"loss"}],"repeats":2,"concurrency":2,"maxTrials":3,"seed":7,
  "parameters":[{"name":"x","low":0,"high":1},{"name":"opt","choices":["adam","sgd"]}],
  "workload":{"command":"train"}})";

StudyView ViewOf(const StudyEngine& engine) {
  StudyView view{.study = engine.study(), .trials = {}};
  for (const StudyTrial& trial : engine.trials()) {
    view.trials.push_back(std::make_shared<const StudyTrial>(trial));
  }
  return view;
}

// Three configurations with the results 0 and 2, 4 and 6, 8 and 10.
StudyView Before() {
  StudyLab lab(kBefore);
  for (std::size_t trial = 0; trial < 6; trial += 2) {
    lab.Step();
    for (std::size_t run : {trial, trial + 1}) {
      lab.Reports(run, 1, 2.0 * static_cast<double>(run));
      lab.End(run);
    }
  }
  return ViewOf(lab.engine());
}

TEST(EarlierResults, AreTheMeansOfConfigurationsInTheWordsOfTheNewStudy) {
  StudyView before = Before();
  StudySpec spec = StudyOf(R"({"objectives":[{"metric":"loss","direction":"maximize"}],
    "parameters":[{"name":"opt","choices":["sgd","rmsprop","adam"]},{"name":"x","low":0,"high":9},
                  {"name":"fixed","value":3}]})")
                       .spec;
  std::vector<EarlierResult> earlier = EarlierResults(before, spec);
  ASSERT_EQ(earlier.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const StudyTrial& old = *before.trials[2 * i];
    EXPECT_EQ(earlier[i].results, std::vector<double>{1.0 + 4.0 * static_cast<double>(i)});
    EXPECT_EQ(earlier[i].values[0], old.values[1] == 0 ? 2 : 0);
    EXPECT_EQ(earlier[i].values[1], old.values[0]);
  }
}

TEST(EarlierResults, WithoutTheMetricOrAParameterThereAreNone) {
  StudyView before = Before();
  auto count = [&](std::string_view spec) {
    return EarlierResults(before, StudyOf(spec).spec).size();
  };
  EXPECT_EQ(count(R"({"objectives":[{"metric":"reward"}],
                      "parameters":[{"name":"x","low":0,"high":1}]})"),
            0U);
  EXPECT_EQ(count(R"({"objectives":[{"metric":"loss"}],
                      "parameters":[{"name":"depth","low":0,"high":1}]})"),
            0U);
}

TEST(EarlierResults, AreLearnedFromAndNoPartOfTheBudget) {
  StudyLab lab(R"({"objectives":[{"metric":"loss"}],"parameters":[{"name":"x","low":0,"high":1}],
                   "maxTrials":2,"concurrency":2,"seed":7,"workload":{"command":"train"}})");
  ASSERT_TRUE(lab.engine().Give({0.25}, {3}, lab.now()));
  EXPECT_FALSE(lab.engine().Give({7}, {3}, lab.now())) << "outside of the space";
  lab.Restart();
  EXPECT_EQ(lab.Step().submit, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(lab.trial(0).origin, "earlier");
  lab.Restart();
  lab.EndAll();
  lab.Step();
  EXPECT_EQ(lab.state(), StudyState::kCompleted);
  EXPECT_EQ(lab.engine().trials().size(), 3U);
}

}  // namespace
}  // namespace yard::control
