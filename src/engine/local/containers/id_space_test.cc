#include "engine/local/containers/id_space.h"

#include <gtest/gtest.h>

namespace yard::engine::containers {
namespace {

TaskSpec Task(std::string title) {
  TaskSpec spec;
  spec.title = std::move(title);
  spec.container = Container{.image = "a:1"};
  return spec;
}

const DaemonFacts kPodman{.kind = DaemonKind::kPodman};
const DaemonFacts kDocker{.kind = DaemonKind::kDocker};

TEST(IdSpace, RootOfAContainerIsNobodyOnTheMachine) {
  TaskSpec spec = Task("vision/net");
  EXPECT_EQ(IdSpaceOf(spec, kPodman), IdSpace::kMapped);
  EXPECT_GE(OwnerOnMachine(spec, kPodman).uid, 0x7000'0000U);
  EXPECT_LT(OwnerOnMachine(spec, kPodman).uid + kIdsOfContainer, 0x7800'0001U);
  EXPECT_EQ(UserInside(spec, IdSpace::kMapped), "") << "the image's user, root or not";
  spec.account = Account{};
  EXPECT_EQ(IdSpaceOf(spec, kPodman), IdSpace::kMapped);
  EXPECT_GE(OwnerOnMachine(spec, kPodman).uid, 0x7000'0000U);
}

TEST(IdSpace, ADaemonThatCannotMapRunsNoRoot) {
  TaskSpec spec = Task("vision/net");
  EXPECT_EQ(IdSpaceOf(spec, kDocker), IdSpace::kMachine);
  EXPECT_EQ(UserInside(spec, IdSpace::kMachine),
            std::to_string(FirstId(spec)) + ":" + std::to_string(FirstId(spec)));
  spec.account = Account{};
  EXPECT_NE(UserInside(spec, IdSpace::kMachine), "0:0");
}

TEST(IdSpace, AnIdOfTheMachineIsThatId) {
  TaskSpec spec = Task("vision/net");
  spec.account = Account{.uid = 1234, .gid = 1235};
  EXPECT_EQ(IdSpaceOf(spec, kPodman), IdSpace::kMachine);
  EXPECT_EQ(OwnerOnMachine(spec, kPodman).uid, 1234U);
  EXPECT_EQ(UserInside(spec, IdSpace::kMachine), "1234:1235");
}

TEST(IdSpace, ADaemonWithANamespaceOfItsOwnKeepsIt) {
  EXPECT_EQ(IdSpaceOf(Task("a/b"), {.kind = DaemonKind::kPodman, .rootless = true}),
            IdSpace::kDaemons);
  EXPECT_EQ(IdSpaceOf(Task("a/b"), {.remapped = true}), IdSpace::kDaemons);
}

TEST(IdSpace, WorkOfOneProjectHasOneRange) {
  EXPECT_EQ(FirstId(Task("vision/a")), FirstId(Task("vision/b")));
  EXPECT_NE(FirstId(Task("vision/a")), FirstId(Task("speech/a")));
  EXPECT_LE(FirstId(Task("vision/a")), 0x7FFF'0000U);
}

}  // namespace
}  // namespace yard::engine::containers
