#include "engine/slurm/jobs.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace yard::engine::slurm {
namespace {

// As squeue 22.05 prints it, less the spaces of the last column.
constexpr std::string_view kSqueue =
    "3                   |RUNNING                 |0           |None        |"
    "2026-11-16T11:08:56 |NONE                |n1   |\n"
    "4                   |PENDING                 |0           |Resources   |"
    "N/A                 |N/A                 |     |\n"
    "5                   |FAILED                  |1792        |NonZeroExitCode|"
    "2026-11-16T11:08:56 |2026-11-16T11:09:01 |n2   |\n"
    "6                   |FAILED                  |9           |RaisedSignal:9(Killed)|"
    "2026-11-16T11:08:56 |2026-11-16T11:09:01 |n2   |\n";

TEST(Squeue, RowsBecomeJobs) {
  const std::vector<Job> jobs = ParseSqueue(kSqueue);
  ASSERT_EQ(jobs.size(), 4U);
  EXPECT_EQ(jobs[0].id, JobId(3));
  EXPECT_EQ(jobs[0].phase, JobPhase::kRunning);
  EXPECT_EQ(jobs[0].started_at, ParseRfc3339("2026-11-16T11:08:56Z"));
  EXPECT_EQ(jobs[0].node, "n1");
  EXPECT_FALSE(jobs[0].exit_code);
  EXPECT_EQ(jobs[1].phase, JobPhase::kPending);
  EXPECT_EQ(jobs[1].reason, "Resources");
  EXPECT_FALSE(jobs[1].started_at);
  EXPECT_EQ(jobs[2].exit_code, 7);
  EXPECT_EQ(jobs[2].ended_at, ParseRfc3339("2026-11-16T11:09:01Z"));
  EXPECT_FALSE(jobs[3].exit_code);
  EXPECT_EQ(jobs[3].signal, 9);
}

TEST(Squeue, OddLinesAreSkipped) {
  EXPECT_TRUE(ParseSqueue("").empty());
  EXPECT_TRUE(ParseSqueue("slurm_load_jobs error: Invalid job id\n-1|RUNNING|0|||||\n").empty());
  EXPECT_TRUE(ParseSqueue("x|RUNNING|0||||n1|\n|||||||\n").empty());
}

TEST(Squeue, AsksForTheGivenJobsOnly) {
  const std::vector<JobId> ids = {JobId(7), JobId(9)};
  const std::vector<std::string> words = SqueueCommand(ids);
  EXPECT_EQ(words.front(), "squeue");
  EXPECT_NE(std::ranges::find(words, "--jobs=7,9"), words.end());
}

TEST(Sacct, RowsBecomeJobs) {
  const std::vector<Job> jobs = ParseSacct(
      "12|CANCELLED by 1000|0:15|2026-11-16T11:08:56|2026-11-16T11:09:01|n1\n"
      "13|OUT_OF_MEMORY|0:125|2026-11-16T11:08:56|2026-11-16T11:09:01|n1\n"
      "14|FAILED|3:0|2026-11-16T11:08:56|2026-11-16T11:09:01|n1\n"
      "14.batch|FAILED|3:0|2026-11-16T11:08:56|2026-11-16T11:09:01|n1\n");
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].state, "CANCELLED");
  EXPECT_EQ(jobs[0].reason, "by 1000");
  EXPECT_EQ(jobs[0].signal, 15);
  EXPECT_EQ(jobs[1].state, "OUT_OF_MEMORY");
  EXPECT_EQ(jobs[2].exit_code, 3);
}

TEST(JobPhase, KnowsEveryStateOfSlurm) {
  for (const char* word : {"PENDING", "PD", "REQUEUED", "requeue_hold"})
    EXPECT_EQ(PhaseOf(word), JobPhase::kPending) << word;
  for (const char* word : {"RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "STOPPED",
                           "STAGE_OUT", "SIGNALING", "A_NEW_ONE"})
    EXPECT_EQ(PhaseOf(word), JobPhase::kRunning) << word;
  for (const char* word : {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED",
                           "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY", "oom"})
    EXPECT_EQ(PhaseOf(word), JobPhase::kEnded) << word;
}

TEST(Found, JobsByName) {
  const auto found = ParseFound("12 gpuyard-a.0\nx gpuyard-b.0\n13\n14 gpuyard-c.1\n");
  EXPECT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("gpuyard-c.1"), JobId(14));
}

TEST(Submitted, IsAnIdPerhapsWithACluster) {
  EXPECT_EQ(ParseSubmitted("123\n"), JobId(123));
  EXPECT_EQ(ParseSubmitted("123;east"), JobId(123));
  EXPECT_FALSE(ParseSubmitted("0"));
  EXPECT_FALSE(ParseSubmitted("Submitted batch job 7"));
}

TEST(Words, TellAnOutageFromARefusal) {
  EXPECT_TRUE(
      IsOutage("sbatch: error: Batch job submission failed: Unable to contact slurm "
               "controller (connect failure)"));
  EXPECT_TRUE(IsOutage("sbatch: error: Munge encode failed: Failed to access \"/x\""));
  EXPECT_FALSE(IsOutage("sbatch: error: invalid partition specified: nope"));
  EXPECT_FALSE(IsOutage("Batch job submission failed: Invalid account or account/partition"));
  EXPECT_TRUE(IsGone("slurm_load_jobs error: Invalid job id specified"));
  EXPECT_TRUE(
      IsGone("scancel: error: Kill job error on job id 25: Job can not be altered now, try "
             "again later"));
  EXPECT_FALSE(IsGone("Access/permission denied"));
}

}  // namespace
}  // namespace yard::engine::slurm
