// Slices that are taken off the GPU by the driver's checkpoint and put back, on the fake driver.
#include <string>

#include "slice/test/harness.h"

namespace yard::slice {
namespace {

constexpr Micros kPatience = Seconds(60);

std::string Linear(std::uint64_t bytes) {
  return "alloc linear " + std::to_string(bytes);
}

TEST(Parking, LeavesTheGpuToOthersAndComesBackWhole) {
  Node node;
  const auto client = node.Start(node.Add("a", 20 * kGib));
  client->Ask("init");
  ASSERT_EQ(client->Numbers(Linear(10 * kGib))[0], 0);
  const std::uint64_t held = TrueBytes(client->pid());
  ASSERT_TRUE(node.keeper().Park("a", kPatience));
  ASSERT_TRUE(node.keeper().Park("a", kPatience)) << "twice is once";
  EXPECT_EQ(TrueBytes(), 0U);
  EXPECT_TRUE(node.keeper().State("a")->parked);
  EXPECT_EQ(node.State("a").used, 10 * kGib + 300 * kMib) << "its own books stay";
  ASSERT_TRUE(node.keeper().Unpark("a", kPatience));
  ASSERT_TRUE(node.keeper().Unpark("a", kPatience)) << "twice is once";
  EXPECT_EQ(TrueBytes(client->pid()), held);
  EXPECT_FALSE(node.keeper().State("a")->parked);
  EXPECT_EQ(node.keeper().Park("b", kPatience).error().code, Code::kNotFound);
}

TEST(Parking, ASliceWhoseProcessCannotBeParkedRunsOn) {
  Node node;
  const std::string folder = node.Add("a", 20 * kGib);
  const auto first = node.Start(folder), second = node.Start(folder);
  first->Ask("init");
  second->Ask("init");
  HoldByCheckpoint(second->pid());
  const std::uint64_t held = TrueBytes();
  const Status parked = node.keeper().Park("a", Seconds(1));
  ASSERT_FALSE(parked);
  EXPECT_TRUE(parked.error().message.starts_with("the driver could not stop process"));
  EXPECT_EQ(TrueBytes(), held) << "the first was put back";
  EXPECT_FALSE(node.keeper().State("a")->parked);
}

TEST(Parking, ItsPartIsForOthersAndComesBackWhenTheyAreGone) {
  Node node;
  const auto client = node.Start(node.AddGrowing("a", 30 * kGib, 30 * kGib));
  client->Ask("init");
  ASSERT_EQ(client->Numbers(Linear(20 * kGib))[0], 0);
  const std::uint64_t held = TrueBytes(client->pid());
  ASSERT_TRUE(node.keeper().Park("a", kPatience));
  {
    const auto other = node.Start(node.AddGrowing("b", 40 * kGib, 40 * kGib));
    other->Ask("init");
    EXPECT_EQ(other->Numbers(Linear(39 * kGib))[0], 0);
    EXPECT_EQ(node.keeper().Unpark("a", kPatience).error().code, Code::kConflict);
    EXPECT_TRUE(node.keeper().State("a")->parked);
    other->Finish();
  }
  ASSERT_TRUE(node.Await("b", 0));
  ASSERT_TRUE(node.keeper().Remove("b"));
  ASSERT_TRUE(node.keeper().Unpark("a", kPatience));
  EXPECT_EQ(TrueBytes(client->pid()), held);
}

TEST(Parking, WhoGrewIntoItsPartMustGiveItBackFirst) {
  Node node;
  const auto client = node.Start(node.AddGrowing("a", 30 * kGib, 30 * kGib));
  const auto grows = node.Start(node.AddGrowing("b", 10 * kGib, 40 * kGib));
  client->Ask("init");
  grows->Ask("init");
  ASSERT_EQ(client->Numbers(Linear(25 * kGib))[0], 0);
  ASSERT_TRUE(node.keeper().Park("a", kPatience));
  const auto lent = grows->Numbers(Linear(35 * kGib));
  ASSERT_EQ(lent[0], 0) << "what is parked needs no room";
  const Status back = node.keeper().Unpark("a", kPatience);
  EXPECT_EQ(back.error().code, Code::kUnavailable);
  EXPECT_TRUE(node.keeper().State("a")->parked);
  EXPECT_EQ(TrueBytes(client->pid()), 0U);
  grows->Kill();
  ASSERT_TRUE(node.Await("b", 0));
  ASSERT_TRUE(node.keeper().Unpark("a", kPatience));
  EXPECT_EQ(TrueBytes(client->pid()), 25 * kGib + 300 * kMib);
}

TEST(Parking, NobodyJoinsMeanwhile) {
  Node node;
  const std::string folder = node.Add("a", 2 * kGib);
  const auto client = node.Start(folder);
  client->Ask("init");
  ASSERT_TRUE(node.keeper().Park("a", kPatience));
  EXPECT_NE(node.Start(folder)->Ask("init"), "0");
  ASSERT_TRUE(node.keeper().Unpark("a", kPatience));
  EXPECT_EQ(node.Start(folder)->Ask("init"), "0");
}

TEST(Parking, OutlivesTheKeeper) {
  Node node;
  const auto client = node.Start(node.AddGrowing("a", 30 * kGib, 30 * kGib));
  client->Ask("init");
  ASSERT_EQ(client->Numbers(Linear(20 * kGib))[0], 0);
  ASSERT_TRUE(node.keeper().Park("a", kPatience));
  const Holder holder(*node.keeper().RegionFd("a"));
  node.StopKeeper();
  node.StartKeeper();
  ASSERT_TRUE(node.keeper().Adopt({"a", 1, {}}, holder.pid()));
  EXPECT_TRUE(node.keeper().State("a")->parked);
  node.AddGrowing("b", 40 * kGib, 40 * kGib);
  EXPECT_EQ(node.keeper().Unpark("a", kPatience).error().code, Code::kConflict);
  ASSERT_TRUE(node.keeper().Remove("b"));
  ASSERT_TRUE(node.keeper().Unpark("a", kPatience));
  EXPECT_EQ(TrueBytes(client->pid()), 20 * kGib + 300 * kMib);
}

}  // namespace
}  // namespace yard::slice
