// What the driver takes beside allocations: contexts of unknown size, modules, local memory, heap;
// and the keeper's authority over what a workload's processes hold.
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>

#include "slice/test/harness.h"

namespace yard::slice {
namespace {

std::string Bytes(std::uint64_t n) {
  return std::to_string(n);
}

TEST(SideMemory, TheFirstContextTellsWhatOneTakesAndIsPaidForAtOnce) {
  Node node;
  const std::string folder = node.AddUnlearned("a", kGib);
  const auto client = node.Start(folder);
  ASSERT_EQ(client->Ask("init"), "0");
  EXPECT_EQ(node.State("a").context_bytes, 300 * kMib);
  EXPECT_EQ(client->Numbers("fill linear " + Bytes(2 * kMib) + " " + Bytes(4 * kGib))[0], 2);
  EXPECT_EQ(TrueBytes(client->pid()), kGib) << "not one context more";
  node.StopKeeper();
  node.StartKeeper();
  node.AddUnlearned("b", kGib);
  EXPECT_EQ(node.State("b").context_bytes, 300 * kMib) << "it is kept";
}

TEST(SideMemory, ManyNewProcessesStayWithinThePartThoughNobodyKnewTheirContexts) {
  Node node;
  const std::string folder = node.AddUnlearned("a", 3 * kGib);
  std::vector<std::unique_ptr<Client>> clients(6);
  for (auto& client : clients) client = node.Start(folder);
  for (auto& client : clients) client->Send("init");
  for (auto& client : clients) EXPECT_EQ(client->Receive(), "0");
  for (auto& client : clients)
    client->Send("fill linear " + Bytes(2 * kMib) + " " + Bytes(8 * kGib));
  for (auto& client : clients) client->Receive();
  EXPECT_EQ(TrueBytes(), 3 * kGib);
}

TEST(SideMemory, WhatTheDriverTookForAProcessIsFreeOnceThatHasEnded) {
  Node node;
  const std::string folder = node.AddUnlearned("a", kGib);
  for (int round = 0; round < 3; ++round) {
    const auto client = node.Start(folder);
    ASSERT_EQ(client->Ask("init"), "0");
    client->Ask("fill linear " + Bytes(2 * kMib) + " " + Bytes(4 * kGib));
    EXPECT_EQ(TrueBytes(client->pid()), kGib) << "round " << round;
    client->Finish();
    ASSERT_TRUE(node.Await("a", 0));
  }
}

TEST(SideMemory, AContextThatDoesNotFitIsRefusedAndGone) {
  Node node;
  const auto client = node.Start(node.AddUnlearned("a", 200 * kMib));
  EXPECT_EQ(client->Ask("init"), "2");
  EXPECT_EQ(TrueBytes(client->pid()), 0U);
}

TEST(SideMemory, ModulesFillTheSliceAndNoMore) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  EXPECT_EQ(client->Numbers("fill module " + Bytes(64 * kMib) + " " + Bytes(4 * kGib))[0], 2);
  EXPECT_LE(TrueBytes(client->pid()), 2 * kGib);
  EXPECT_GT(TrueBytes(client->pid()), 2 * kGib - 64 * kMib);
  EXPECT_EQ(client->Ask("freeall"), "0");
  EXPECT_EQ(client->Numbers("alloc linear " + Bytes(kGib))[0], 0) << "at once";
}

TEST(SideMemory, AKernelWhoseLocalMemoryDoesNotFitIsRefusedBeforeItRuns) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  // 16384 threads at a time: 1.5 GiB fit, 2.5 do not.
  EXPECT_EQ(client->Numbers("alloc kernel " + Bytes(160 << 10))[0], 2);
  EXPECT_EQ(TrueBytes(client->pid()), 300 * kMib);
  EXPECT_EQ(client->Numbers("alloc kernel " + Bytes(96 << 10))[0], 0);
  EXPECT_EQ(TrueBytes(client->pid()), 300 * kMib + 1536 * kMib);
  EXPECT_EQ(client->Numbers("alloc linear " + Bytes(kGib))[0], 2);
}

// Nobody tells what the driver takes when a kernel is first launched.
TEST(SideMemory, WhatALaunchTookIsInTheBooksBeforeTheLastPartIsGivenOut) {
  Node node;
  const std::string folder = node.Add("a", 3 * kGib);
  Environment environment = node.Inside(folder);
  environment.push_back("YARD_FAKE_CODE=" + Bytes(70 * kMib));
  Client client({BuildPath("gpuyard-slice-client"), "libcuda.so.1"}, environment);
  ASSERT_EQ(client.Ask("init"), "0");
  client.Ask("launch 1 5");
  ASSERT_EQ(TrueBytes(client.pid()), 370 * kMib);
  client.Ask("fill linear " + Bytes(64 * kMib) + " " + Bytes(4 * kGib));
  client.Ask("fill linear " + Bytes(2 * kMib) + " " + Bytes(4 * kGib));
  EXPECT_EQ(TrueBytes(client.pid()), 3 * kGib) << "neither over nor short";
}

TEST(SideMemory, TheDeviceHeapIsPaidForWhenItIsAskedFor) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  EXPECT_EQ(client->Numbers("alloc heap " + Bytes(3 * kGib))[0], 2);
  EXPECT_EQ(client->Numbers("alloc heap " + Bytes(kGib))[0], 0);
  EXPECT_EQ(client->Numbers("alloc linear " + Bytes(kGib))[0], 2);
  EXPECT_EQ(client->Numbers("alloc heap " + Bytes(8 * kMib))[0], 0);
  EXPECT_EQ(client->Numbers("alloc linear " + Bytes(kGib))[0], 0);
  EXPECT_EQ(TrueBytes(client->pid()), kGib + 300 * kMib);
}

TEST(Authority, AProcessBesideTheLibraryIsNamedAndPaidForByItsWorkload) {
  Node node;
  const std::string folder = node.Add("a", 2 * kGib);
  const auto honest = node.Start(folder);
  ASSERT_EQ(honest->Ask("init"), "0");
  // As with `env -i`: it finds the driver itself, not the library.
  Client escaped({BuildPath("gpuyard-slice-client"), BuildPath("test/fake/libcuda.so.1")},
                 node.Base());
  node.Claim("a", escaped.pid());
  ASSERT_EQ(escaped.Ask("init"), "0");
  ASSERT_EQ(escaped.Numbers("alloc linear " + Bytes(10 * kGib))[0], 0);
  ASSERT_TRUE(node.AwaitEvent(EventKind::kOverLimit, "a"));
  const std::string text = node.TextOf(EventKind::kOverLimit, "a");
  EXPECT_NE(text.find("process " + std::to_string(escaped.pid()) + " (gpuyard-slice-c)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("runs without the library"), std::string::npos) << text;
  EXPECT_EQ(honest->Numbers("alloc linear " + Bytes(kMib))[0], 2) << "its workload is full";
  EXPECT_EQ(node.State("a").seen, 10 * kGib + 600 * kMib);
}

// As the workload's processes may: they have the region open for writing.
TEST(Authority, WhoeverWritesTheRegionIsToldOnAndChangesNothing) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  auto* const region = static_cast<Region*>(mmap(nullptr, sizeof(Region), PROT_READ | PROT_WRITE,
                                                 MAP_SHARED, *node.keeper().RegionFd("a"), 0));
  region->gpu[0].hard = region->gpu[0].limit = 40 * kGib;
  ASSERT_TRUE(node.AwaitEvent(EventKind::kWritten, "a"));
  EXPECT_EQ(node.State("a").hard, 2 * kGib);
  EXPECT_EQ(client->Numbers("alloc linear " + Bytes(4 * kGib))[0], 2);
  munmap(region, sizeof(Region));
}

}  // namespace
}  // namespace yard::slice
