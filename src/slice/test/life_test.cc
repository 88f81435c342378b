// U6 and U8: forks, exec and changes of user; a keeper that dies and comes back. Also shares.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "slice/test/harness.h"

namespace yard::slice {
namespace {

TEST(Life, AForkedChildRegistersForItself) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  EXPECT_EQ(client->Ask("fork"), "0") << "the child uses the GPU though its parent has not yet";
  ASSERT_TRUE(node.Await("a", 0)) << "and its share is back when it has ended";
  EXPECT_EQ(client->Ask("init"), "0");
  EXPECT_EQ(client->Ask("fork"), "1") << "after the parent began, a child has no driver";
  ASSERT_TRUE(node.Await("a", 1));
  EXPECT_EQ(node.State("a").used, 300 * kMib);
}

TEST(Life, AGpuOutsideTheSliceIsRefusedWhole) {
  Node node;
  GpuLimit other;
  other.uuid = *ParseUuid("GPU-fa4e0000-0000-0000-0000-0000000000ff");
  other.hard = other.soft = kGib;
  const auto folder = node.keeper().Add({"a", 77, {other}, ShareMode::kNone});
  ASSERT_TRUE(folder);
  const auto client = node.Start(*folder);
  EXPECT_NE(client->Ask("init"), "0") << "no context";
  EXPECT_EQ(TrueBytes(client->pid()), 0U);
}

TEST(Life, ExecStartsFromNothing) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  client->Ask("init");
  ASSERT_EQ(client->Numbers("alloc linear " + std::to_string(kGib))[0], 0);
  ASSERT_EQ(client->Ask("exec"), "0");
  ASSERT_EQ(client->Ask("init"), "0");
  EXPECT_EQ(node.State("a").used, 300 * kMib);
  EXPECT_EQ(node.Processes("a"), 1);
}

TEST(Life, ClosingAllFilesAndBecomingNobodyChangesNothing) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become someone else";
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib));
  client->Ask("init");
  EXPECT_EQ(client->Ask("closefiles"), "0");
  EXPECT_EQ(client->Ask("nobody"), "0");
  EXPECT_EQ(client->Numbers("alloc linear " + std::to_string(kGib))[0], 0);
  EXPECT_EQ(client->Numbers("alloc linear " + std::to_string(kGib))[0], 2);
  client->Kill();
  ASSERT_TRUE(node.Await("a", 0));
  EXPECT_EQ(node.State("a").used, 0U);
}

TEST(Life, AKilledProcessFreesRoomForAWaitingOne) {
  Node node;
  const std::string folder = node.Add("a", 2 * kGib);
  const auto holder = node.Start(folder), waiter = node.Start(folder);
  holder->Ask("init");
  waiter->Ask("init");
  ASSERT_EQ(holder->Numbers("alloc linear " + std::to_string(kGib))[0], 0);
  ASSERT_EQ(waiter->Numbers("alloc linear " + std::to_string(kGib))[0], 2);
  holder->Kill();
  ASSERT_TRUE(node.Await("a", 1));
  EXPECT_EQ(waiter->Numbers("alloc linear " + std::to_string(kGib))[0], 0);
}

TEST(KeeperRestart, TakesUpTheSliceWithItsLivingProcesses) {
  Node node;
  const std::string folder = node.Add("a", 2 * kGib);
  const auto lives = node.Start(folder), dies = node.Start(folder);
  lives->Ask("init");
  dies->Ask("init");
  ASSERT_EQ(lives->Numbers("alloc linear " + std::to_string(kGib / 2))[0], 0);
  ASSERT_EQ(dies->Numbers("alloc linear " + std::to_string(kGib / 2))[0], 0);
  const Holder holder(*node.keeper().RegionFd("a"));
  node.StopKeeper();
  EXPECT_EQ(lives->Numbers("alloc linear " + std::to_string(kGib))[0], 2)
      << "the limit holds while the keeper is away";
  dies->Kill();
  node.StartKeeper();
  const auto adopted = node.keeper().Adopt({"a", 1, {}}, holder.pid());
  ASSERT_TRUE(adopted.has_value()) << adopted.error().message;
  EXPECT_EQ(node.Processes("a"), 1);
  EXPECT_EQ(node.State("a").used, kGib / 2 + 300 * kMib);
  EXPECT_EQ(lives->Numbers("alloc linear " + std::to_string(kGib))[0], 0);
  const auto fresh = node.Start(folder);
  EXPECT_EQ(fresh->Ask("init"), "2") << "no room for another context: known to the new keeper";
}

TEST(KeeperRestart, RefusesAProcessOfAnotherVersion) {
  Node node;
  const std::string path = node.Add("a", kGib) + "/door/agent.sock";
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  const Hello hello{kHelloMagic, kRegionAbi + 1, Role::kProcess, 1};
  ASSERT_EQ(send(fd, &hello, sizeof(hello), 0), static_cast<ssize_t>(sizeof(hello)));
  Reply reply{};
  ASSERT_EQ(recv(fd, &reply, sizeof(reply), 0), static_cast<ssize_t>(sizeof(reply)));
  EXPECT_EQ(reply.answer, Answer::kWrongAbi);
  close(fd);
}

class Share : public testing::TestWithParam<const char*> {};

// Kernels of any length; of the shortest, more fit into the driver's queue than into the GPU's next
// milliseconds.
TEST_P(Share, SplitsTheFakeGpuAsAsked) {
  Node node;
  const auto small = node.Start(node.Add("a", 2 * kGib, 300, ShareMode::kFair));
  const auto large = node.Start(node.Add("b", 2 * kGib, 700, ShareMode::kFair));
  small->Ask("init");
  large->Ask("init");
  small->Send(GetParam());
  large->Send(GetParam());
  // Time held while both run, not kernels done: what a loaded test machine cannot blur.
  auto lease = [&](const char* name) { return static_cast<double>(node.State(name).lease_ns); };
  auto until = [](auto condition) {
    for (int i = 0; i < 6500 && !condition(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  // Leases have begun when one has been charged much more than the other.
  until([&] { return lease("b") > 1.2 * lease("a") + 1e8; });
  const double a = lease("a"), b = lease("b");
  until([&] { return lease("a") + lease("b") > a + b + 5e9; });
  const double small_part = (lease("a") - a) / (lease("a") - a + lease("b") - b);
  EXPECT_NEAR(small_part, 0.3, 0.04);
  small->Receive();
  large->Receive();
}

INSTANTIATE_TEST_SUITE_P(Kernels, Share, testing::Values("spin 7 500 0", "spin 7 20 0"),
                         [](const auto& load) { return "Number" + std::to_string(load.index); });

// A capture runs nothing, so it must not teach the pacing that launches are cheap.
TEST(Shares, QueuesOnlyAFewMillisecondsOfGraphs) {
  Node node;
  const auto client = node.Start(node.Add("a", 2 * kGib, 1000, ShareMode::kFair));
  ASSERT_EQ(client->Ask("init"), "0");
  const auto reply = client->Numbers("graphspin 2 20 100");
  ASSERT_EQ(reply.size(), 3U);
  EXPECT_GT(reply[1], 20) << "graphs of two milliseconds ran";
  EXPECT_LT(reply[2], 60'000'000) << "nanoseconds of work that were still queued";
}

}  // namespace
}  // namespace yard::slice
