#include "engine/slurm/ends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::engine::slurm {
namespace {

using ::testing::HasSubstr;

constexpr Time kNow{1'000'000};

TaskEnd Noted(EndCause cause, std::optional<int> code = {}, std::optional<int> signal = {}) {
  return {.cause = cause, .exit_code = code, .signal = signal, .message = "noted", .at = {5}};
}

Job Ended(const std::string& state) {
  Job job;
  job.id = JobId(1);
  job.state = state;
  job.phase = JobPhase::kEnded;
  job.ended_at = Time{7};
  return job;
}

TEST(End, ACommandThatEndedWellNeedsNoWordOfSlurm) {
  const Evidence evidence{Noted(EndCause::kCompleted, 0), {}, {}};
  EXPECT_FALSE(NeedsSlurmsWord(evidence));
  EXPECT_EQ(DecideEnd(evidence, kNow).cause, EndCause::kCompleted);
}

TEST(End, ASignalMayBeSlurmsDoing) {
  Evidence evidence{Noted(EndCause::kSignal, {}, 15), {}, {}};
  EXPECT_TRUE(NeedsSlurmsWord(evidence));
  for (const auto& [state, cause] :
       std::map<std::string, EndCause>{{"TIMEOUT", EndCause::kTimeLimit},
                                       {"DEADLINE", EndCause::kTimeLimit},
                                       {"PREEMPTED", EndCause::kPreempted},
                                       {"OUT_OF_MEMORY", EndCause::kOutOfMemory},
                                       {"NODE_FAIL", EndCause::kNodeLost},
                                       {"CANCELLED", EndCause::kCancelled},
                                       {"COMPLETED", EndCause::kSignal},
                                       {"FAILED", EndCause::kSignal}}) {
    evidence.job = Ended(state);
    const TaskEnd end = DecideEnd(evidence, kNow);
    EXPECT_EQ(end.cause, cause) << state;
    EXPECT_EQ(end.signal, 15) << state;
    EXPECT_EQ(end.at, Time{5}) << state;
  }
}

TEST(End, AnExitCodeOfOurCommandStays) {
  const Evidence evidence{Noted(EndCause::kExit, 3), Ended("COMPLETED"), {}};
  EXPECT_EQ(DecideEnd(evidence, kNow).cause, EndCause::kExit);
  EXPECT_EQ(DecideEnd(evidence, kNow).exit_code, 3);
}

TEST(End, TooMuchMemoryIsToldAlsoWhenTheCommandOutlivedIt) {
  const Evidence evidence{Noted(EndCause::kExit, 5), Ended("OUT_OF_MEMORY"), {}};
  EXPECT_EQ(DecideEnd(evidence, kNow).cause, EndCause::kOutOfMemory);
  EXPECT_THAT(DecideEnd(evidence, kNow).message, HasSubstr("memory"));
}

TEST(End, AStopFromHereIsNobodyElses) {
  const Evidence evidence{Noted(EndCause::kSignal, {}, 15), Ended("CANCELLED"), StopOptions{}};
  EXPECT_FALSE(NeedsSlurmsWord(evidence));
  EXPECT_EQ(DecideEnd(evidence, kNow).cause, EndCause::kSignal);
}

TEST(End, AStopBeforeTheStartEndsByTheSignalAskedFor) {
  const Evidence evidence{{}, Ended("CANCELLED"), StopOptions{12, Seconds(1)}};
  const TaskEnd end = DecideEnd(evidence, kNow);
  EXPECT_EQ(end.cause, EndCause::kSignal);
  EXPECT_EQ(end.signal, 12);
  EXPECT_EQ(end.at, Time{7});
}

TEST(End, WithoutAnyNoteSlurmsWordCounts) {
  EXPECT_EQ(DecideEnd({{}, Ended("NODE_FAIL"), {}}, kNow).cause, EndCause::kNodeLost);
  EXPECT_EQ(DecideEnd({{}, Ended("CANCELLED"), {}}, kNow).cause, EndCause::kCancelled);
  Job failed = Ended("FAILED");
  failed.exit_code = 1;
  EXPECT_EQ(DecideEnd({{}, failed, {}}, kNow).cause, EndCause::kLaunchFailed);
  EXPECT_EQ(DecideEnd({{}, failed, {}, true}, kNow).cause, EndCause::kExit);
  failed.exit_code.reset();
  failed.signal = 9;
  EXPECT_EQ(DecideEnd({{}, failed, {}}, kNow).cause, EndCause::kSignal);
}

TEST(End, WhatNobodyKnowsIsLost) {
  const TaskEnd end = DecideEnd({}, kNow);
  EXPECT_EQ(end.cause, EndCause::kNodeLost);
  EXPECT_EQ(end.at, kNow);
  EXPECT_FALSE(end.exit_code);
}

}  // namespace
}  // namespace yard::engine::slurm
