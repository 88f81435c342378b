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
constexpr IdRange kRange{0x7012'0000};
const DaemonFacts kDocker{.kind = DaemonKind::kDocker};

TEST(IdSpace, RootOfAContainerIsNobodyOnTheMachine) {
  TaskSpec spec = Task("vision/net");
  EXPECT_EQ(IdSpaceOf(spec, kPodman), IdSpace::kMapped);
  EXPECT_EQ(OwnerOnMachine(spec, IdSpace::kMapped, kRange).uid, 0x7012'0000U);
  EXPECT_EQ(UserInside(spec, IdSpace::kMapped, kRange), "") << "the image's user, root or not";
  spec.account = Account{};
  EXPECT_EQ(IdSpaceOf(spec, kPodman), IdSpace::kMapped);
  EXPECT_EQ(OwnerOnMachine(spec, IdSpace::kMapped, kRange).uid, 0x7012'0000U);
}

TEST(IdSpace, ADaemonThatCannotMapRunsNoRoot) {
  TaskSpec spec = Task("vision/net");
  EXPECT_EQ(IdSpaceOf(spec, kDocker), IdSpace::kMachine);
  EXPECT_EQ(UserInside(spec, IdSpace::kMachine, kRange), "1880227840:1880227840");
  spec.account = Account{};
  EXPECT_NE(UserInside(spec, IdSpace::kMachine, kRange), "0:0");
}

TEST(IdSpace, AnIdOfTheMachineIsThatId) {
  TaskSpec spec = Task("vision/net");
  spec.account = Account{.uid = 1234, .gid = 1235};
  EXPECT_EQ(IdSpaceOf(spec, kPodman), IdSpace::kMachine);
  EXPECT_EQ(OwnerOnMachine(spec, IdSpace::kMachine, kRange).uid, 1234U);
  EXPECT_EQ(UserInside(spec, IdSpace::kMachine, kRange), "1234:1235");
}

TEST(IdSpace, ADaemonWithANamespaceOfItsOwnKeepsIt) {
  EXPECT_EQ(IdSpaceOf(Task("a/b"), {.kind = DaemonKind::kPodman, .rootless = true}),
            IdSpace::kDaemons);
  EXPECT_EQ(IdSpaceOf(Task("a/b"), {.remapped = true}), IdSpace::kDaemons);
}

TEST(IdSpace, WorkOfOneProjectHasOneRange) {
  EXPECT_EQ(ProjectOf(Task("vision/a")), "vision");
  EXPECT_EQ(ProjectOf(Task("vision/b")), "vision");
}

}  // namespace
}  // namespace yard::engine::containers
