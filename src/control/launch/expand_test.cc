#include "control/launch/expand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::control {
namespace {

using testing::ElementsAre;
using Words = std::vector<std::string>;

Words Expanded(Words words, std::optional<engine::Container> container = engine::Container{}) {
  engine::TaskSpec task;
  task.container = std::move(container);
  task.variables = {{"RUNAI_PROJECT", "vision"},
                    {"RUNAI_JOB_NAME", "jl"},
                    {"GPUYARD_PORT", "8888"},
                    {"TOKEN", "hidden", true}};
  ExpandWords(words, task);
  return words;
}

TEST(ExpandWords, AnEnvironmentsCommandNamesProjectAndJob) {
  EXPECT_THAT(Expanded({"start-notebook.sh", "--base_url=/${RUNAI_PROJECT}/${RUNAI_JOB_NAME}"}),
              ElementsAre("start-notebook.sh", "--base_url=/vision/jl"));
  EXPECT_THAT(Expanded({"jupyter", "--base_url=/$(RUNAI_PROJECT)/$(RUNAI_JOB_NAME)"}),
              ElementsAre("jupyter", "--base_url=/vision/jl"));
}

TEST(ExpandWords, AShellReadsItsOwnWords) {
  EXPECT_THAT(
      Expanded({"timeout", "9", "/bin/bash", "-c", "RUNAI_PROJECT=x; echo ${RUNAI_PROJECT}"}),
      ElementsAre("timeout", "9", "/bin/bash", "-c", "RUNAI_PROJECT=x; echo ${RUNAI_PROJECT}"));
  EXPECT_THAT(Expanded({"sh", "-c", "echo $(RUNAI_PROJECT) $(date)"}),
              ElementsAre("sh", "-c", "echo vision $(date)"));
}

TEST(ExpandWords, UnknownEscapedAndBrokenOnesStay) {
  EXPECT_THAT(
      Expanded({"x", "${HOME}", "$(NONE)", "$$(RUNAI_PROJECT)", "${RUNAI_PROJECT", "$", "a$b"}),
      ElementsAre("x", "${HOME}", "$(NONE)", "$(RUNAI_PROJECT)", "${RUNAI_PROJECT", "$", "a$b"));
}

TEST(ExpandWords, SecretsNeverStandInACommandLine) {
  EXPECT_THAT(Expanded({"x", "--token=$(TOKEN)"}), ElementsAre("x", "--token=$(TOKEN)"));
}

TEST(ExpandWords, AValueIsNotReadAgain) {
  engine::TaskSpec task;
  task.variables = {{"A", "$(B)"}, {"B", "b"}};
  Words words{"x", "$(A)"};
  ExpandWords(words, task);
  EXPECT_THAT(words, ElementsAre("x", "$(B)"));
}

TEST(ExpandWords, ThePortOfAPlainProcessIsOnlyKnownToItsEngine) {
  EXPECT_THAT(Expanded({"x", "${GPUYARD_PORT}"}), ElementsAre("x", "8888"));
  EXPECT_THAT(Expanded({"x", "${GPUYARD_PORT}"}, std::nullopt),
              ElementsAre("x", "${GPUYARD_PORT}"));
}

}  // namespace
}  // namespace yard::control
