#include "engine/local/containers/session.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include <gtest/gtest.h>

namespace yard::engine::containers {
namespace {

constexpr int kPatienceMs = 60'000;

bool IsReadable(int fd, int wait_ms) {
  pollfd ready{fd, POLLIN, 0};
  return ::poll(&ready, 1, wait_ms) == 1;
}

// A command in a container, with and without a terminal, whose daemon is the test.
class SilentCommand : public ::testing::TestWithParam<Framing> {
 protected:
  SilentCommand() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    daemon_.Reset(ends[0]);
    StreamSpec spec;
    spec.stream.Reset(ends[1]);
    spec.framing = GetParam();
    spec.ending = [this]() -> std::optional<Result<std::int32_t>> {
      asked_ = true;
      asked_.notify_all();
      if (!exited_) return std::nullopt;
      return 5;
    };
    spec.hang_up = [this] { ++hang_ups_; };
    session_ = *MakeStreamSession(std::move(spec));
  }

  UniqueFd daemon_;
  std::atomic<bool> asked_ = false;
  std::atomic<bool> exited_ = false;
  std::atomic<int> hang_ups_ = 0;
  std::unique_ptr<Session> session_;
};

TEST_P(SilentCommand, IsNotAskedForItsEndWhileItMaySaySomething) {
  EXPECT_FALSE(asked_);
  daemon_.Reset();
  asked_.wait(false);
  EXPECT_TRUE(IsReadable(session_->output(), kPatienceMs));
}

TEST_P(SilentCommand, ShowsItsEnd) {
  daemon_.Reset();
  asked_.wait(false);
  EXPECT_FALSE(IsReadable(session_->ended(), 0));
  exited_ = true;
  EXPECT_TRUE(IsReadable(session_->ended(), kPatienceMs));
  EXPECT_EQ(session_->Wait(), 5);
  session_.reset();
  EXPECT_EQ(hang_ups_, 0);
}

TEST_P(SilentCommand, IsHungUpWithoutWaitingForItsEnd) {
  daemon_.Reset();
  asked_.wait(false);
  session_.reset();
  EXPECT_EQ(hang_ups_, 1);
}

TEST_P(SilentCommand, IsHungUpWhileItMaySaySomething) {
  session_.reset();
  EXPECT_EQ(hang_ups_, 1);
}

INSTANTIATE_TEST_SUITE_P(Containers, SilentCommand,
                         ::testing::Values(Framing::kRaw, Framing::kFramed));

}  // namespace
}  // namespace yard::engine::containers
