// Slices that may grow beyond their request: what is guaranteed, what is lent, what is given back.
#include <algorithm>
#include <array>
#include <random>
#include <sstream>

#include "slice/fake/truth.h"
#include "slice/test/harness.h"

namespace yard::slice {
namespace {

constexpr std::uint64_t kCard = fake::kTotal - fake::kReserved;

int Take(Client& client, std::uint64_t bytes) {
  return static_cast<int>(client.Numbers("alloc linear " + std::to_string(bytes))[0]);
}

TEST(Growth, ASliceSeesItsLimitAndGrowsIntoIt) {
  Node node;
  const auto client = node.Start(node.AddGrowing("a", 4 * kGib, 16 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  EXPECT_EQ(client->Numbers("info")[2], static_cast<std::int64_t>(16 * kGib));
  EXPECT_EQ(client->Numbers("info")[1], static_cast<std::int64_t>(16 * kGib - 300 * kMib));
  EXPECT_EQ(Take(*client, 15 * kGib), 0);
  EXPECT_EQ(Take(*client, kGib), 2) << "the limit is the end";
  EXPECT_EQ(TrueBytes(client->pid()), 15 * kGib + 300 * kMib);
}

TEST(Growth, LeavesTheNeighboursRequestAlone) {
  Node node;
  const auto grows = node.Start(node.AddGrowing("a", 4 * kGib, 40 * kGib));
  const auto waits = node.Start(node.AddGrowing("b", 20 * kGib, 20 * kGib));
  ASSERT_EQ(grows->Ask("init"), "0");
  EXPECT_EQ(grows->Numbers("info")[1], static_cast<std::int64_t>(kCard - 20 * kGib - 300 * kMib))
      << "what it could have";
  EXPECT_EQ(Take(*grows, 27 * kGib), 0);
  EXPECT_EQ(Take(*grows, kGib), 2);
  ASSERT_EQ(waits->Ask("init"), "0");
  EXPECT_EQ(Take(*waits, 19 * kGib), 0) << "the request was kept for it";
}

TEST(Growth, WhatOneDoesNotUseTheOtherMayHave) {
  Node node;
  const auto a = node.Start(node.AddGrowing("a", 2 * kGib, 40 * kGib));
  const auto b = node.Start(node.AddGrowing("b", 2 * kGib, 40 * kGib));
  ASSERT_EQ(a->Ask("init"), "0");
  ASSERT_EQ(b->Ask("init"), "0");
  ASSERT_EQ(Take(*a, 30 * kGib), 0);
  ASSERT_EQ(Take(*b, 30 * kGib), 2) << "there is no such room";
  ASSERT_EQ(a->Ask("freeall"), "0");
  EXPECT_EQ(Take(*b, 30 * kGib), 0) << "at once, not at the next round";
  b->Kill();
  ASSERT_TRUE(node.Await("b", 0));
  EXPECT_EQ(Take(*a, 30 * kGib), 0) << "the dead lend nothing";
}

TEST(Growth, ALateNeighbourIsToldWhoHoldsWhatItNeeds) {
  Node node;
  const auto early = node.Start(node.AddGrowing("a", 4 * kGib, 47 * kGib));
  ASSERT_EQ(early->Ask("init"), "0");
  ASSERT_EQ(Take(*early, 20 * kGib), 0);
  ASSERT_EQ(Take(*early, 20 * kGib), 0);
  const auto late = node.Start(node.AddGrowing("b", 20 * kGib, 20 * kGib));
  EXPECT_TRUE(node.AwaitEvent(EventKind::kAboveRequest, "a"));
  EXPECT_EQ(Take(*early, 2 * kMib), 2) << "whoever stands in the way grows no further";
  ASSERT_EQ(late->Ask("init"), "0");
  EXPECT_EQ(Take(*late, 15 * kGib), 2) << "memory in use is not taken away";
  ASSERT_EQ(early->Ask("free 0"), "0");
  EXPECT_TRUE(node.AwaitEvent(EventKind::kGaveBack, "a"));
  EXPECT_EQ(Take(*late, 15 * kGib), 0);
  EXPECT_EQ(Take(*early, 7 * kGib), 0) << "and the early one may have all that is left";
  EXPECT_EQ(Take(*early, kGib), 2);
}

TEST(Growth, RequestsTogetherNeverExceedTheGpu) {
  Node node;
  node.AddGrowing("a", 30 * kGib, 40 * kGib);
  GpuLimit gpu;
  gpu.uuid = *ParseUuid(fake::kUuidText);
  gpu.physical = kCard;
  gpu.soft = gpu.hard = 18 * kGib;
  const auto refused = node.keeper().Add({"b", 99, {gpu}, ShareMode::kNone});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kConflict);
  node.AddGrowing("c", 10 * kGib, 10 * kGib);
  EXPECT_EQ(node.keeper().SetLimits("c", 0, {18 * kGib, 18 * kGib}).error().code, Code::kConflict);
  EXPECT_TRUE(node.keeper().SetLimits("c", 0, {17 * kGib, 20 * kGib}));
}

TEST(Growth, AChangedLimitHoldsAtOnce) {
  Node node;
  const auto client = node.Start(node.AddGrowing("a", 4 * kGib, 8 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  ASSERT_EQ(Take(*client, 10 * kGib), 2);
  ASSERT_TRUE(node.keeper().SetLimits("a", 0, {4 * kGib, 16 * kGib}));
  EXPECT_EQ(client->Numbers("info")[2], static_cast<std::int64_t>(16 * kGib));
  ASSERT_EQ(Take(*client, 10 * kGib), 0);
  ASSERT_TRUE(node.keeper().SetLimits("a", 0, {4 * kGib, 6 * kGib}));
  EXPECT_EQ(Take(*client, 2 * kMib), 2);
  EXPECT_EQ(TrueBytes(client->pid()), 10 * kGib + 300 * kMib) << "what it has it keeps";
}

TEST(Growth, WithoutAKeeperASliceKeepsWhatItWasGivenAndGetsNoMore) {
  Node node;
  const auto client = node.Start(node.AddGrowing("a", 4 * kGib, 40 * kGib));
  ASSERT_EQ(client->Ask("init"), "0");
  ASSERT_EQ(Take(*client, 10 * kGib), 0);
  node.StopKeeper();
  EXPECT_EQ(Take(*client, 10 * kGib), 2);
  EXPECT_EQ(client->Ask("free 0"), "0");
  EXPECT_EQ(Take(*client, 9 * kGib), 0);
}

// Slices that ask at random for more and less than their requests; the fake driver's truth decides.
TEST(Growth, HoldsAgainstTheDriversTruthForRandomPrograms) {
  Node node;
  constexpr std::array kRequests = {6 * kGib, 10 * kGib, 14 * kGib};
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < kRequests.size(); ++i) {
    clients.push_back(node.Start(
        node.AddGrowing(std::string(1, static_cast<char>('a' + i)), kRequests[i], 40 * kGib)));
    ASSERT_EQ(clients[i]->Ask("init"), "0");
  }
  std::mt19937_64 dice(6);
  int lent = 0, refused = 0;
  for (int step = 0; step < 600; ++step) {
    const std::size_t which = dice() % clients.size();
    Client& client = *clients[which];
    const std::uint64_t held = TrueBytes(client.pid());
    if (dice() % 9 == 0) {
      client.Ask("freeall");
      continue;
    }
    const std::uint64_t bytes = (1 + dice() % 1500) * 2 * kMib;
    std::uint64_t kept = 0;
    for (std::size_t i = 0; i < clients.size(); ++i)
      if (i != which) kept += std::max(kRequests[i], TrueBytes(clients[i]->pid()));
    const bool owed =
        held + bytes <= 40 * kGib && held + bytes <= std::max(kRequests[which], kCard - kept);
    ASSERT_EQ(Take(client, bytes), owed ? 0 : 2) << "step " << step;
    if (owed && held + bytes > kRequests[which]) ++lent;
    if (!owed) ++refused;
    ASSERT_LE(TrueBytes(), kCard);
    ASSERT_EQ(node.State(std::string(1, static_cast<char>('a' + which))).used,
              TrueBytes(client.pid()));
  }
  EXPECT_GT(lent, 20);
  EXPECT_GT(refused, 20);
}

// Many at once: nobody within its request is refused, and the card is never overdrawn.
TEST(Growth, HoldsUnderManyProcessesAtOnce) {
  Node node;
  constexpr int kSlices = 4, kEach = 6;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < kSlices; ++i) {
    const std::string folder =
        node.AddGrowing(std::string(1, static_cast<char>('a' + i)), 8 * kGib, 30 * kGib);
    for (int n = 0; n < kEach; ++n) clients.push_back(node.Start(folder));
  }
  for (auto& client : clients) ASSERT_EQ(client->Ask("init"), "0");
  // What counts is every moment, which no look from outside could catch.
  fake::Shared().taken = TrueBytes();
  fake::Shared().most_taken = 0;
  for (std::size_t i = 0; i < clients.size(); ++i)
    clients[i]->Send("hammer 3 " + std::to_string(i + 1) + " " + std::to_string(kGib));
  std::int64_t refused = 0;
  for (auto& client : clients) {
    std::istringstream words(client->Receive());
    std::int64_t code = -1, made = 0, turned_away = 0;
    words >> code >> made >> turned_away;
    EXPECT_EQ(code, 0);
    refused += turned_away;
  }
  const std::uint64_t most = fake::Shared().most_taken;
  EXPECT_LE(most, kCard);
  EXPECT_GT(most, 32 * kGib) << "more than the requests was in use";
  EXPECT_GT(refused, 0);
  for (int i = 0; i < kSlices; ++i)
    EXPECT_EQ(node.State(std::string(1, static_cast<char>('a' + i))).drift, 0);
}

}  // namespace
}  // namespace yard::slice
