#include "cli/job/profile.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/job/node_script.h"

namespace yard::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const EnvLookup kNone = nullptr;

Result<EnvValues> Read(std::string_view text) {
  EnvValues values;
  YARD_TRY(ReadEnvFile(text, "f", kNone, values));
  return values;
}

TEST(EnvFile, QuotesAndVariables) {
  const EnvValues values = *Read(
      "export A=one\r\nC='$A kept'\nD=\"${A}/two # three\"  # four\nE=$A/x#y\n"
      "F=${G:-usual}\nH=\nI=a\\ b'c'\"d\"\n  J=1 # last\n");
  EXPECT_EQ(values.at("C"), "$A kept");
  EXPECT_EQ(values.at("D"), "one/two # three");
  EXPECT_EQ(values.at("E"), "one/x#y");
  EXPECT_EQ(values.at("F"), "usual");
  EXPECT_EQ(values.at("H"), "");
  EXPECT_EQ(values.at("I"), "a bcd");
  EXPECT_EQ(values.at("J"), "1");
}

TEST(EnvFile, RunsNothingAndNamesTheLine) {
  for (const char* line : {"A=$(id)", "A=`id`", "A=\"$(id)\"", "A=1; id", "A='x", "A=${B", "A=$B",
                           "echo hi", "1A=2", "A=${B:?no}"}) {
    const auto read = Read(std::string("X=1\n") + line);
    ASSERT_FALSE(read) << line;
    EXPECT_THAT(read.error().message, HasSubstr("f:2: ")) << line;
  }
}

class ProfileTest : public ::testing::Test {
 protected:
  ProfileTest() {
    char name[] = "/tmp/gyp-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  ~ProfileTest() override { fs::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  Result<JobProfile> Find(const std::string& name) {
    YARD_ASSIGN(JobProfiles all, JobProfiles::Read(root_.string(), kNone));
    return all.Find(name);
  }

  fs::path root_;
};

TEST_F(ProfileTest, AFolderWithoutFilesHasAnEmptyOne) {
  EXPECT_TRUE(Find("")->command.empty());
  EXPECT_EQ(Find("other").error().code, Code::kNotFound);
}

TEST_F(ProfileTest, YamlSaysTheSite) {
  Write(kJobFile,
        "profiles:\n  base:\n    command: python3 'my train.py'\n    outputs: [logs, a/b]\n"
        "    modules: [gcc/12]\n    scratch: ${TMPDIR}/x\n    variables: {LR: 0.1}\n"
        "    slurm: {time: \"2:00:00\", gpus: 1, cpus-per-task: 8}\n");
  const JobProfile profile = *Find("");
  EXPECT_THAT(profile.command, ElementsAre("python3", "my train.py"));
  EXPECT_THAT(profile.outputs, ElementsAre("logs", "a/b"));
  EXPECT_TRUE(profile.work.spec.Has("timeLimitSeconds"));
  const std::string script = NodeScript(profile, "code-x");
  EXPECT_THAT(script, HasSubstr("module load gcc/12 "));
  EXPECT_THAT(script, HasSubstr("${GPUYARD_DATA_CODE_X:?}"));
  EXPECT_THAT(script, HasSubstr("\"${TMPDIR}/x/gpuyard-job.XXXXXX\""));
}

TEST_F(ProfileTest, WhatCannotBeIsRefusedWithItsKey) {
  for (const char* said :
       {"{outputs: [../x]}", "{outputs: [/x]}", "{scratch: \"$(id)\"}", "{scratch: x}",
        "{nonsense: 1}", "{slurm: {nonsense: 1}}", "{variables: [a]}"}) {
    Write(kJobFile, std::string("profiles: {base: ") + said + "}\n");
    EXPECT_EQ(Find("").error().code, Code::kInvalid) << said;
  }
}

TEST_F(ProfileTest, FilesOfIsaacLabAreReadAsTheyAre) {
  Write("docker/cluster/.env.cluster",
        "CLUSTER_JOB_SCHEDULER=SLURM\nexport CLUSTER_SIF_PATH=/shared/${WHO:-me}/images\n"
        "CLUSTER_ISAAC_SIM_CACHE_DIR=\"/shared/docker-isaac-sim\"  # kept\n"
        "CLUSTER_PYTHON_EXECUTABLE=scripts/train.py\nCLUSTER_LOGIN=me@login\n");
  Write("docker/.env.base", "DOCKER_ISAACSIM_ROOT_PATH=/isaac-sim\nDOCKER_USER_HOME=/home/isaac\n");
  Write("docker/.env.ros2", "ROS2_APT_PACKAGE=ros-base\n");
  const JobProfile profile = *Find("ros2");
  EXPECT_THAT(profile.command, ElementsAre("/isaac-sim/python.sh", "scripts/train.py"));
  EXPECT_THAT(profile.outputs, ElementsAre("logs"));
  EXPECT_EQ(profile.image, "/shared/me/images/isaac-lab-ros2.sif");
  EXPECT_THAT(profile.binds, Contains("/shared/docker-isaac-sim/cache/ov:/home/isaac/.cache/ov"));
  EXPECT_EQ(profile.notes.size(), 1U);
  EXPECT_THAT(NodeScript(profile, "code-x"), HasSubstr(":/workspace/isaaclab/logs"));
}

TEST_F(ProfileTest, AnotherSchedulerIsRefused) {
  Write("docker/cluster/.env.cluster", "CLUSTER_JOB_SCHEDULER=PBS\n");
  EXPECT_EQ(Find("").error().code, Code::kInvalid);
}

TEST(NodeScript, KeepsEveryWordOfAProfileOneWord) {
  JobProfile profile;
  profile.outputs = {"a b'; touch x"};
  profile.image = "/x y.sif";
  profile.binds = {"/a b:/c"};
  const std::string script = NodeScript(profile, "code");
  EXPECT_THAT(script, HasSubstr("output='a b'\\''; touch x'\n"));
  EXPECT_THAT(script, HasSubstr(" --bind '/a b:/c' '/x y.sif' \"$@\""));
}

}  // namespace
}  // namespace yard::cli
