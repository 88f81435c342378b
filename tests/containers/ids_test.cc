// Whose ids containers of a real daemon have on the machine.
#include <sys/stat.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/local/containers/id_space.h"
#include "engine/local/tasks/task_folder.h"
#include "tests/containers/lab.h"
#include "tests/containers/workbench.h"

namespace yard::engine::containers {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ContainerIds : public ::testing::Test {
 protected:
  lab::Workbench bench_;
};

TEST_F(ContainerIds, IsRootOfANamespaceOfItsOwnWithTheUsualCapabilities) {
  if (!lab::IsPodman()) GTEST_SKIP() << "docker maps no ids for single containers";
  TaskSpec spec = bench_.Shell(
      "id -u; cat /proc/self/uid_map; grep -E 'CapEff|NoNewPrivs' /proc/self/status;"
      "touch /etc/x && chown 1000:1000 /etc/x && stat -c %u /etc/x && rm -r /home/user && "
      "touch $GPUYARD_OUTPUT/mine $TMPDIR/x && echo wrote");
  TaskKey key = bench_.Launch(spec);
  EXPECT_EQ(bench_.AwaitEnd(key).cause, EndCause::kCompleted) << bench_.LogOf(key);
  EXPECT_THAT(bench_.LogOf(key),
              AllOf(StartsWith("0\n"), HasSubstr("NoNewPrivs:\t1"), HasSubstr("1000\nwrote\n")));
  EXPECT_THAT(bench_.LogOf(key), ::testing::Not(HasSubstr("CapEff:\t0000000000000000")));
  struct stat made{};
  const std::string file = TaskFolder(bench_.options().root, key).File("work") + "/mine";
  ASSERT_EQ(::stat(file.c_str(), &made), 0);
  EXPECT_GE(made.st_uid, kFirstIdOfContainers) << "its root is nobody on the machine";
  EXPECT_THAT(bench_.LogOf(key), HasSubstr(fmt::to_string(made.st_uid)));
}

TEST_F(ContainerIds, WithAnIdOfTheMachineHasNoCapabilitiesAndGetsNoNewOnes) {
  TaskSpec spec = bench_.Shell("grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status");
  spec.account = Account{.uid = 1000, .gid = 1000};
  TaskKey key = bench_.Launch(spec);
  EXPECT_EQ(bench_.AwaitEnd(key).cause, EndCause::kCompleted);
  EXPECT_THAT(bench_.LogOf(key),
              AllOf(HasSubstr("CapEff:\t0000000000000000"), HasSubstr("CapBnd:\t0000000000000000"),
                    HasSubstr("NoNewPrivs:\t1")));
  spec.key = bench_.NewKey();
  spec.container->add_capabilities = {"SYS_ADMIN"};
  const TaskEnd refused = bench_.Run(spec);
  EXPECT_EQ(refused.cause, EndCause::kLaunchFailed);
  EXPECT_THAT(refused.message, HasSubstr("has no capabilities"));
}

TEST_F(ContainerIds, SharesVolumesWithTheOthersOfItsProject) {
  TaskSpec spec = bench_.Shell("echo one > /volume/file");
  spec.title = "vision/first";
  spec.mounts = {{MountKind::kVolume, "vision.data", "/volume"}};
  EXPECT_EQ(bench_.Run(spec).cause, EndCause::kCompleted);
  TaskSpec again = bench_.Shell("echo two >> /volume/file && cat /volume/file");
  again.title = "vision/second";
  again.mounts = spec.mounts;
  TaskKey key = bench_.Launch(again);
  bench_.AwaitEnd(key);
  EXPECT_EQ(bench_.LogOf(key), "one\ntwo\n");
}

}  // namespace
}  // namespace yard::engine::containers
