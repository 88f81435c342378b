#include "cli/tune/study_file.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "cli/yaml.h"

namespace yard::cli {
namespace {

Result<StudyFile> Read(std::string_view yaml) {
  Result<std::vector<YamlDocument>> documents = ReadYaml(yaml);
  EXPECT_TRUE(documents.has_value());
  return ReadStudyFile(documents->front().value(), "/home/ann");
}

json::value SpecOf(std::string_view yaml) {
  Result<StudyFile> file = Read(yaml);
  EXPECT_TRUE(file.has_value()) << (file ? "" : file.error().message);
  return *ParseJson(file ? file->spec : "{}");
}

TEST(StudyFile, ShortFormsBecomeTheLongOnes) {
  json::value spec = SpecOf(R"(
name: ppo
metric: reward
direction: maximize
parameters:
  lr: {low: 1e-5, high: 1e-1, log: true}
  optimizer: [adam, sgd]
  momentum: {low: 0, high: 1, when: {optimizer: sgd}}
derived: {steps: 1000 * 2}
trials: 50
time: 2h
pruner: median
command: python train.py --lr ${lr}
gpu: 0.5
)");
  EXPECT_EQ(spec.at("objectives").at(0).at("direction"), "maximize");
  EXPECT_EQ(spec.at("parameters").as_array().size(), 3U);
  EXPECT_EQ(spec.at("parameters").at(1).at("choices").at(1), "sgd");
  EXPECT_EQ(spec.at("parameters").at(2).at("when").at("parameter"), "optimizer");
  EXPECT_EQ(spec.at("parameters").at(2).at("when").at("values").at(0), "sgd");
  EXPECT_EQ(spec.at("derived").at(0).at("expression"), "1000 * 2");
  EXPECT_EQ(spec.at("maxTrials"), 50);
  EXPECT_EQ(spec.at("maxDurationSeconds"), 7200);
  EXPECT_EQ(spec.at("pruner").at("type"), "median");
  EXPECT_EQ(spec.at("workload").at("workingDir"), "/home/ann");
  EXPECT_EQ(spec.at("workload").at("command"), "python train.py --lr ${lr}");
  EXPECT_EQ(spec.at("workload").at("compute").at("gpuPortionRequest"), 0.5);
}

TEST(StudyFile, AMisspelledFieldIsNamedWithTheNearest) {
  Result<StudyFile> file = Read("name: a\nmetirc: loss\nparameters: {x: [1, 2]}\n");
  ASSERT_FALSE(file.has_value());
  EXPECT_NE(file.error().message.find("'metric'"), std::string::npos) << file.error().message;
}

TEST(StudyFile, ResourcesWithoutACommandAreRefused) {
  Result<StudyFile> file = Read("name: a\nmetric: loss\nparameters: {x: [1, 2]}\ngpu: 1\n");
  ASSERT_FALSE(file.has_value());
  EXPECT_TRUE(file.error().message.starts_with("command")) << file.error().message;
}

TEST(StudyFile, WithoutACommandProgramsAskForTrials) {
  json::value spec = SpecOf("name: a\nmetric: loss\nparameters: {x: [1, 2]}\n");
  EXPECT_FALSE(spec.as_object().contains("workload"));
}

}  // namespace
}  // namespace yard::cli
