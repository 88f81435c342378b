#include "serve/live/bridge.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include "serve/live/descriptor.h"

namespace yard::serve {
namespace {

using http::Message;

constexpr std::chrono::seconds kPatience(120);

// A client that says what the test tells it to.
class FakeSocket final : public http::WebSocket {
 public:
  void Receive(Received done) override {
    std::unique_lock lock(mutex_);
    if (said_.empty()) {
      receiver_ = std::move(done);
      return;
    }
    std::optional<Message> message = std::move(said_.front());
    said_.pop_front();
    lock.unlock();
    done(std::move(message));
  }
  void Send(Message message, Sent done) override {
    Hear(message.bytes);
    done({});
  }
  void Close(http::CloseCode, std::string reason) override { Hear("closed " + reason); }

  void Say(std::string bytes) { Give(Message{Message::Kind::kBinary, std::move(bytes)}); }
  void Leave() { Give(std::nullopt); }
  // False: it did not come.
  bool AwaitHeard(std::string_view part) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience,
                             [&] { return heard_.find(part) != std::string::npos; });
  }

 private:
  void Hear(std::string_view bytes) {
    std::lock_guard lock(mutex_);
    heard_ += bytes;
    changed_.notify_all();
  }
  void Give(std::optional<Message> message) {
    std::unique_lock lock(mutex_);
    if (!receiver_) return said_.push_back(std::move(message));
    Received receiver = std::exchange(receiver_, nullptr);
    lock.unlock();
    receiver(std::move(message));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Received receiver_;
  std::deque<std::optional<Message>> said_;
  std::string heard_;
};

struct Ends {
  Ends() {
    std::array<int, 2> fds{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds.data()), 0);
    ours.Reset(fds[0]);
    theirs.Reset(fds[1]);
  }
  UniqueFd ours;
  UniqueFd theirs;
};

using End = std::shared_ptr<std::promise<void>>;

// A command that has closed its output and runs until the test ends it; it exits with 3.
class SilentCommand final : public engine::Session {
 public:
  explicit SilentCommand(End hung_up) : hung_up_(std::move(hung_up)) { output_.theirs.Reset(); }
  ~SilentCommand() override { hung_up_->set_value(); }
  SilentCommand(const SilentCommand&) = delete;
  SilentCommand& operator=(const SilentCommand&) = delete;

  int input() const override { return input_.ours.get(); }
  void CloseInput() override { input_.ours.Reset(); }
  int output() const override { return output_.ours.get(); }
  int error() const override { return -1; }
  Status Resize(std::uint16_t, std::uint16_t) override { return {}; }
  Result<std::int32_t> Wait() override {
    pollfd wait{.fd = end_.get(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&wait, 1, -1), 1);
    return 3;
  }
  int ended() const override { return end_.get(); }

  // What the command would read.
  int read_end() const { return input_.theirs.get(); }
  void Exit() { EXPECT_EQ(eventfd_write(end_.get(), 1), 0); }

 private:
  const End hung_up_;
  Ends input_;
  Ends output_;
  const UniqueFd end_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

class Bridges : public ::testing::Test {
 protected:
  // Until the poller has done what it was given before.
  // What waits for the client's next word holds it, as it holds what waits.
  void TearDown() override {
    client_->Leave();
    Settle();
  }
  void Settle() {
    std::promise<void> done;
    threads_.poller.Post([&] { done.set_value(); });
    done.get_future().wait();
  }

  LiveThreads threads_;
  std::shared_ptr<FakeSocket> client_ = std::make_shared<FakeSocket>();
};

TEST_F(Bridges, APortThatClosesWithoutReadingEndsItsConnectionAlone) {
  Ends port;
  BridgePort(threads_, std::move(port.ours), client_);
  client_->Say(std::string(10'000'000, 'x'));
  Settle();
  Settle();  // the bridge has started and waits in both directions
  port.theirs.Reset();
  EXPECT_TRUE(client_->AwaitHeard("closed the task closed the connection"));
  Settle();
}

TEST_F(Bridges, CommandsThatSayNoMoreHoldNoThreads) {
  constexpr std::size_t kMany = 400;
  std::vector<End> ends;
  std::vector<SilentCommand*> commands;
  std::vector<std::shared_ptr<FakeSocket>> clients;
  for (std::size_t i = 0; i < kMany; ++i) {
    ends.push_back(std::make_shared<std::promise<void>>());
    auto command = std::make_unique<SilentCommand>(ends.back());
    commands.push_back(command.get());
    clients.push_back(std::make_shared<FakeSocket>());
    BridgeSession(threads_, Hold(threads_, std::move(command)), clients.back());
  }
  Settle();
  commands.back()->Exit();
  EXPECT_TRUE(clients.back()->AwaitHeard(R"({"exit":3})"));
  clients.front()->Leave();
  EXPECT_EQ(ends.front()->get_future().wait_for(kPatience), std::future_status::ready);
  for (const auto& client : clients) client->Leave();
  Settle();
}

TEST_F(Bridges, ACommandThatSaysNoMoreStillGetsItsInput) {
  auto end = std::make_shared<std::promise<void>>();
  auto command = std::make_unique<SilentCommand>(end);
  SilentCommand& silent = *command;
  BridgeSession(threads_, Hold(threads_, std::move(command)), client_);
  client_->Say(std::string(1, '\0') + "late words");
  Settle();
  Settle();
  std::string bytes;
  EXPECT_EQ(ReadSome(silent.read_end(), 100, bytes), Flow::kSome);
  EXPECT_EQ(bytes, "late words");
}

TEST_F(Bridges, ACommandThatEndsWithInputUnreadIsForgotten) {
  auto end = std::make_shared<std::promise<void>>();
  auto command = std::make_unique<SilentCommand>(end);
  SilentCommand& silent = *command;
  BridgeSession(threads_, Hold(threads_, std::move(command)), client_);
  client_->Say(std::string(10'000'000, '\0'));
  Settle();
  Settle();
  silent.Exit();
  EXPECT_TRUE(client_->AwaitHeard(R"({"exit":3})"));
  EXPECT_EQ(end->get_future().wait_for(kPatience), std::future_status::ready);
}

}  // namespace
}  // namespace yard::serve
