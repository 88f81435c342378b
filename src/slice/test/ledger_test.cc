// U3, U4 and U5: the books equal the truth, under load and after sudden death.
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "slice/fake/truth.h"
#include "slice/test/harness.h"

namespace yard::slice {
namespace {

TEST(Ledger, EqualsTheDriversTruthAfterEveryCall) {
  Node node;
  const auto client = node.Start(node.Add("a", kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  int refused = 0;
  for (int step = 1; step <= 600; ++step) {
    const auto reply = client->Numbers("random " + std::to_string(step) + " 1");
    ASSERT_EQ(reply.size(), 3U);
    refused += static_cast<int>(reply[2]);
    ASSERT_EQ(client->Numbers("info")[0], 0);
    ASSERT_EQ(node.State("a").used, TrueBytes(client->pid())) << "after step " << step;
    ASSERT_LE(node.State("a").used, kGib);
    if (step % 150 == 0) client->Ask("freeall");
  }
  EXPECT_GT(refused, 0) << "the limit was never met, so nothing was shown";
}

class EveryKind : public testing::TestWithParam<const char*> {};

TEST_P(EveryKind, FillsToTheLimitAndGivesAllBack) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  const std::string kind = GetParam();
  const auto filled = client->Numbers("fill " + kind + " " + std::to_string(2 * kMib) + " " +
                                      std::to_string(4 * kGib));
  EXPECT_EQ(filled[0], 2) << "an allocation over the limit is out of memory, nothing else";
  // Graphs are reserved for by the driver's chunk: a launch cannot be undone.
  const std::uint64_t room = kind == "graph" ? 32 * kMib : kind == "mip" ? 3 * kMib : 2 * kMib;
  EXPECT_LT(client->Numbers("info")[1], static_cast<std::int64_t>(room));
  EXPECT_LE(TrueBytes(client->pid()), 2 * kGib);
  EXPECT_EQ(client->Ask("freeall"), "0");
  client->Ask("info");
  EXPECT_EQ(node.State("a").used, 300 * kMib) << "only the context is left";
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind,
                         testing::Values("linear", "pitch", "managed", "async", "pool", "vmm",
                                         "vmmheld", "array", "mip", "graph"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(Ledger, WhatOneGraphWasRefusedDoesNotBurdenTheNext) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib + 32 * kMib));
  ASSERT_EQ(client->Ask("init"), "0");
  ASSERT_EQ(client->Numbers("fill graph " + std::to_string(64 * kMib) + " " +
                            std::to_string(4 * kGib))[0],
            2);
  const auto room = client->Numbers("info")[1];
  ASSERT_GE(room, static_cast<std::int64_t>(32 * kMib)) << "room for a small graph must be left";
  EXPECT_EQ(client->Numbers("alloc graph " + std::to_string(2 * kMib))[0], 0);
  EXPECT_EQ(client->Numbers("info")[1], room - static_cast<std::int64_t>(2 * kMib));
}

TEST(Ledger, PoolMemoryBeyondTheLastChunkIsFreedInStreamOrder) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  client->Ask("fill async " + std::to_string(2 * kMib) + " " + std::to_string(4 * kGib));
  const auto full = TrueBytes(client->pid());
  EXPECT_EQ(full, 2 * kGib) << "the last chunk is used too, and never more than the limit";
  EXPECT_EQ(client->Ask("free 800"), "0");
  EXPECT_EQ(client->Numbers("alloc async " + std::to_string(2 * kMib))[0], 0)
      << "what was freed can be had again";
  EXPECT_EQ(client->Ask("freeall"), "0");
  client->Ask("info");
  EXPECT_EQ(node.State("a").used, 300 * kMib);
  EXPECT_EQ(TrueBytes(client->pid()), 300 * kMib);
}

// What is left over at the ends of its chunks is of no use to a pool, which then takes another one
// though it seems to have room.
TEST(Ledger, APoolThatCannotUseWhatItHasLeftStaysWithinTheLimit) {
  for (const std::uint64_t last : {125, 62, 31, 15}) {
    Node node;
    const auto client = node.Start(node.Add("a", 8 * kGib));
    ASSERT_EQ(client->Ask("init"), "0");
    fake::Shared().most_taken = TrueBytes();
    fake::Shared().taken = TrueBytes();
    for (const std::uint64_t size : {251 * kMib + 5 * kMib / 7, last * kMib + kMib / 2, 2 * kMib})
      ASSERT_EQ(
          client->Numbers("fill async " + std::to_string(size) + " " + std::to_string(9 * kGib))[0],
          2);
    EXPECT_LE(fake::Shared().most_taken, 8 * kGib) << "at no moment";
    EXPECT_GT(TrueBytes(client->pid()), 8 * kGib - 2 * kMib) << "to the last of it";
    EXPECT_EQ(client->Ask("freeall"), "0");
    client->Ask("info");
    EXPECT_EQ(node.State("a").used, 300 * kMib);
  }
}

// A program at its limit goes on with what it frees; nothing of it becomes plain memory, which
// would be freed with a wait.
TEST(Ledger, WhatWasFreedInAFullPoolIsTakenAgainFromThePool) {
  Node node;
  const auto client = node.Start(node.Add("a", 300 * kMib + 128 * kMib));
  ASSERT_EQ(client->Ask("init"), "0");
  ASSERT_EQ(client->Numbers("alloc async " + std::to_string(100 * kMib))[0], 0);
  for (int round = 0; round < 100; ++round) {
    ASSERT_EQ(client->Ask("free 0"), "0");
    ASSERT_EQ(client->Numbers("alloc async " + std::to_string(100 * kMib))[0], 0);
    ASSERT_EQ(TrueBytes(client->pid()), 428 * kMib) << "the pool keeps its chunks";
  }
}

// The driver takes 2 MiB for the first small allocation and nothing for the next.
TEST(Ledger, SmallAllocationsPayForTheBlockTheyShare) {
  Node node;
  const auto client = node.Start(node.Add("a", 304 * kMib));
  ASSERT_EQ(client->Ask("init"), "0");
  const auto holds = [&](std::uint64_t mib) {
    return node.State("a").used == mib * kMib && TrueBytes(client->pid()) == mib * kMib;
  };
  ASSERT_EQ(client->Numbers("alloc linear 512")[0], 0);
  EXPECT_TRUE(holds(302)) << "a whole block";
  ASSERT_EQ(client->Numbers("alloc linear " + std::to_string(kMib))[0], 0);
  EXPECT_TRUE(holds(302)) << "in the same";
  ASSERT_EQ(client->Numbers("alloc linear " + std::to_string(kMib + 1))[0], 0);
  EXPECT_TRUE(holds(304)) << "in another, and the limit is reached";
  EXPECT_EQ(client->Numbers("alloc linear " + std::to_string(2 * kMib))[0], 2);
  ASSERT_EQ(client->Ask("free 0"), "0");
  EXPECT_TRUE(holds(304)) << "somebody is left in it";
  EXPECT_EQ(client->Ask("freeall"), "0");
  EXPECT_TRUE(holds(300)) << "only the context is left";
}

// cudaDeviceReset frees nothing one by one.
TEST(Ledger, WhatGoesWithItsContextIsPaidForNoLonger) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  for (int round = 0; round < 3; ++round) {
    for (const char* const what : {"linear 512", "linear 900000", "linear 536870912",
                                   "pitch 67108864", "managed 67108864", "array 134217728"})
      ASSERT_EQ(client->Numbers(std::string("alloc ") + what)[0], 0) << what << ", " << round;
    ASSERT_EQ(node.State("a").used, TrueBytes(client->pid()));
    ASSERT_EQ(client->Ask("reset"), "0");
    EXPECT_EQ(TrueBytes(client->pid()), 300 * kMib);
    EXPECT_EQ(node.State("a").used, 300 * kMib) << "only the context is left";
  }
  ASSERT_EQ(client->Numbers("alloc linear " + std::to_string(kGib))[0], 0);
  EXPECT_EQ(client->Ask("release"), "0");
  EXPECT_EQ(node.State("a").used, 0U);
  EXPECT_EQ(TrueBytes(client->pid()), 0U);
}

TEST(Ledger, ReleasingAHandleDoesNotFreeMappedMemory) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  client->Ask("init");
  ASSERT_EQ(client->Numbers("alloc vmmheld " + std::to_string(kGib))[0], 0);
  EXPECT_EQ(node.State("a").used, kGib + 300 * kMib);
  EXPECT_EQ(client->Numbers("alloc linear " + std::to_string(kGib))[0], 2);
}

TEST(Ledger, AppliesAChangedLimitAtOnce) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  client->Ask("init");
  ASSERT_EQ(client->Numbers("alloc linear " + std::to_string(kGib))[0], 0);
  ASSERT_TRUE(node.keeper().SetLimits("a", 0, {kGib, kGib}).has_value());
  EXPECT_EQ(client->Numbers("info"),
            (std::vector<std::int64_t>{0, 0, static_cast<std::int64_t>(kGib), 1 << 30}));
  EXPECT_EQ(client->Numbers("alloc linear 512")[0], 2);
  ASSERT_TRUE(node.keeper().SetLimits("a", 0, {3 * kGib, 3 * kGib}).has_value());
  EXPECT_EQ(client->Numbers("alloc linear " + std::to_string(kGib))[0], 0);
}

// Room for every process's context and 2 GiB to fight over.
TEST(Ledger, HoldsUnderSixtyFourProcesses) {
  constexpr int kProcesses = 64;
  constexpr std::uint64_t kHard = kProcesses * 300 * kMib + 2 * kGib;
  Node node;
  const std::string folder = node.Add("a", kHard);
  std::vector<std::unique_ptr<Client>> clients(kProcesses);
  for (auto& client : clients) client = node.Start(folder);
  for (auto& client : clients) ASSERT_EQ(client->Ask("init"), "0");
  fake::Shared().taken = TrueBytes();
  fake::Shared().most_taken = TrueBytes();
  for (std::size_t i = 0; i < clients.size(); ++i)
    clients[i]->Send("hammer 5 " + std::to_string(i + 1) + " " + std::to_string(64 * kMib));
  std::uint64_t most = 0, samples = 0;
  std::jthread sampler([&](const std::stop_token& stop) {
    for (; !stop.stop_requested(); ++samples) most = std::max(most, node.State("a").used);
  });
  std::int64_t refused = 0;
  for (auto& client : clients) {
    std::istringstream words(client->Receive());
    std::int64_t code = -1, made = 0, turned_away = 0;
    words >> code >> made >> turned_away;
    EXPECT_EQ(code, 0);
    EXPECT_GT(made, 0) << "every process takes part";
    refused += turned_away;
  }
  sampler.request_stop();
  sampler.join();
  EXPECT_GT(refused, 0) << "the limit was never met, so nothing was shown";
  EXPECT_LE(most, kHard);
  EXPECT_LE(fake::Shared().most_taken, kHard) << "at no moment";
  EXPECT_GT(samples, 20U);
  for (auto& client : clients) client->Finish();
  ASSERT_TRUE(node.Await("a", 0));
  EXPECT_EQ(node.State("a").used, 0U);
}

// Every fault point in turn, until the program lives through all of them.
TEST(SuddenDeath, AtAnyPointLeavesTheBooksRight) {
  Node node;
  node.StartKeeper(BuildPath("test/faulty"));
  const std::string folder = node.Add("a", 4 * kGib);
  const auto witness = node.Start(folder);
  ASSERT_EQ(witness->Ask("init"), "0");
  const std::uint64_t resting = node.State("a").used;
  int deaths = 0;
  for (int point = 1; point < 500; ++point) {
    Environment environment = node.Inside(folder);
    environment.push_back("YARD_SLICE_FAULT=" + std::to_string(point));
    Client victim({BuildPath("gpuyard-slice-client")}, environment);
    victim.Send("init");
    for (const char* const kind : {"linear", "async", "vmm", "array", "graph", "vmmheld"})
      victim.Send(std::string("alloc ") + kind + " " + std::to_string(8 * kMib));
    victim.Send("freeall");
    const int status = victim.Finish();
    ASSERT_TRUE(node.Await("a", 1)) << "point " << point;
    ASSERT_EQ(node.State("a").drift, 0) << "point " << point;
    ASSERT_EQ(node.State("a").used, resting) << "point " << point;
    if (WIFEXITED(status)) break;
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
    ++deaths;
  }
  EXPECT_GT(deaths, 30);
  EXPECT_EQ(witness->Numbers("alloc linear 1048576")[0], 0) << "the survivor goes on";
}

}  // namespace
}  // namespace yard::slice
