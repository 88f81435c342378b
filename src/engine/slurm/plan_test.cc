#include "engine/slurm/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/uuid.h"
#include "engine/slurm/step.h"

namespace yard::engine::slurm {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const Layout kLayout{"/shared/gy", "gpuyard-shim-1"};

TaskSpec Task() {
  TaskSpec spec;
  spec.key = {AttemptId(*ParseUuid("01980000-1111-7222-8333-444455556666")), 2};
  spec.node = "n1";
  spec.title = "vision/a 'b'\nc";
  spec.command = {"python3", "train.py"};
  return spec;
}

TEST(Sbatch, PinsTheNodeAndCountsGpusByType) {
  TaskSpec spec = Task();
  for (const char* gpu : {"slurm:n1:a100:3", "slurm:n1:a100:5", "slurm:n1:h100:0"})
    spec.gpus.push_back({gpu, MilliGpu(1000), Mebibytes(0)});
  spec.limits.cpu = MilliCpu(2500);
  spec.limits.memory = Mebibytes(4096);
  const auto words = SbatchArguments(spec, kLayout, {});
  EXPECT_THAT(words, Contains("--nodelist=n1"));
  EXPECT_THAT(words, Contains("--gres=gpu:a100:2,gpu:h100:1"));
  EXPECT_THAT(words, Contains("--cpus-per-task=3"));
  EXPECT_THAT(words, Contains("--mem=4096M"));
  EXPECT_THAT(words, Contains("--parsable"));
  EXPECT_THAT(words, Not(Contains("--quiet"))) << "sbatch would not tell the id";
  EXPECT_THAT(words, Contains("--no-requeue")) << "a job that runs twice would be doubled work";
  EXPECT_THAT(words, Contains("--job-name=gpuyard-01980000-1111-7222-8333-444455556666.2"));
}

TEST(Sbatch, LimitsThatAreNotSetAreLeftToTheSite) {
  const auto words = SbatchArguments(Task(), kLayout, {});
  EXPECT_THAT(words, Not(Contains(StartsWith("--mem"))));
  EXPECT_THAT(words, Not(Contains(StartsWith("--gres"))));
  EXPECT_THAT(words, Not(Contains(StartsWith("--time"))));
  EXPECT_THAT(words, Not(Contains(StartsWith("--partition"))));
}

TEST(Sbatch, TakesTheSitesSettings) {
  SubmitOptions options;
  options.partition = "gpu";
  options.account = "lab";
  options.qos = "high";
  options.time_limit = Seconds(90);
  options.more = {"--mail-type=END"};
  const auto words = SbatchArguments(Task(), kLayout, options);
  for (const char* word :
       {"--partition=gpu", "--account=lab", "--qos=high", "--time=2", "--mail-type=END"})
    EXPECT_THAT(words, Contains(word));
}

TEST(JobScript, HoldsNoLineOfTheTitle) {
  const std::string script = JobScript(Task(), kLayout);
  EXPECT_THAT(script, StartsWith("#!/bin/sh\n"));
  EXPECT_THAT(script, HasSubstr("vision/a ?b??c\n"));
  EXPECT_THAT(script,
              HasSubstr("exec '/shared/gy/bin/gpuyard-shim-1' '/shared/gy/tasks/01980000-"));
}

TEST(SpecText, HasTheCommandAndItsVariables) {
  TaskSpec spec = Task();
  spec.variables = {{"A", "x y=z\n"}, {"PATH", "/opt/bin"}};
  const std::string text = SpecText(spec, kLayout, {});
  EXPECT_THAT(text, HasSubstr(std::string("run.arg=train.py\0", 17)));
  EXPECT_THAT(text, HasSubstr(std::string("run.env=A=x y=z\n\0", 17)));
  EXPECT_THAT(text, HasSubstr("run.env=PATH=/opt/bin"));
  EXPECT_THAT(text, HasSubstr("run.inherit=CUDA_VISIBLE_DEVICES="));
  EXPECT_TRUE(text.ends_with(std::string_view("end=1\0", 6)));
}

TEST(SpecText, LeavesSlurmsOwnVariablesToSlurm) {
  TaskSpec spec = Task();
  spec.variables = {{"SLURM_JOB_ID", "a-uuid"}, {"SLURM_ARRAY_TASK_ID", "3"}};
  const std::string text = SpecText(spec, kLayout, {});
  EXPECT_THAT(text, Not(HasSubstr("run.env=SLURM_JOB_ID")));
  EXPECT_THAT(text, HasSubstr("run.env=SLURM_ARRAY_TASK_ID=3"));
}

TEST(CheckTask, RefusesWhatSlurmCannotGive) {
  EXPECT_TRUE(CheckTask(Task()));
  TaskSpec spec = Task();
  spec.gpus.push_back({"slurm:n1:a100:3", MilliGpu(500), Mebibytes(0)});
  EXPECT_EQ(CheckTask(spec).error().code, Code::kInvalid);
  spec = Task();
  spec.container.emplace();
  EXPECT_EQ(CheckTask(spec).error().code, Code::kInvalid);
  spec = Task();
  spec.mounts = {{MountKind::kHostPath, "/data", "/data", false}};
  EXPECT_TRUE(CheckTask(spec));
  spec.mounts = {{MountKind::kHostPath, "/data", "/mnt", false}};
  EXPECT_EQ(CheckTask(spec).error().code, Code::kInvalid);
}

TEST(DataSet, IsFoundByItsVariableAlone) {
  TaskSpec spec = Task();
  spec.mounts = {{MountKind::kDataSet, "7/" + std::string(64, 'a'), "/data/code", true}};
  spec.variables = {{"GPUYARD_DATA_CODE", "/data/code"}, {"OTHER", "/data/code"}};
  ASSERT_TRUE(CheckTask(spec));
  const std::string text = SpecText(spec, kLayout, {});
  EXPECT_THAT(text, HasSubstr("GPUYARD_DATA_CODE=/shared/gy/data/7/" + std::string(64, 'a')));
  EXPECT_THAT(text, HasSubstr("OTHER=/data/code"));
}

TEST(Output, IsSavedFromTheTasksOwnFolderOnly) {
  TaskSpec spec = Task();
  spec.mounts = {{MountKind::kOutput, "0", "/work/out"}};
  EXPECT_EQ(CheckTask(spec).error().code, Code::kInvalid);
}

TEST(Gpu, TheTypeIsInItsName) {
  EXPECT_EQ(GpuType(GpuName("n1", "a100", 3)), "a100");
  EXPECT_EQ(GpuType(GpuName("n1", "", 3)), "");
  EXPECT_EQ(GpuType("GPU-1234"), "");
}

TEST(Step, ShowsNamesOfVariablesButNoValues) {
  ExecSpec spec;
  spec.command = {"sh", "-c", "id"};
  spec.variables = {{"TOKEN", "hunter2"}, {"B", "x,y"}};
  const ExecSpec step = StepBeside(kLayout, Task().key, JobId(7), spec);
  EXPECT_THAT(step.command, Contains("--export=TOKEN,B"));
  EXPECT_THAT(step.command, Contains("--jobid=7"));
  EXPECT_THAT(step.command, Not(Contains(HasSubstr("hunter2"))));
  EXPECT_EQ(step.variables.size(), 2U);
  EXPECT_EQ(step.command.back(), "id");
}

}  // namespace
}  // namespace yard::engine::slurm
