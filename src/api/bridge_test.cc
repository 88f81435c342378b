#include "api/bridge.h"

#include <sys/socket.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>

#include <gtest/gtest.h>

#include "api/descriptor.h"

namespace yard::api {
namespace {

using http::Message;

constexpr std::chrono::seconds kPatience(20);

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

class Bridges : public ::testing::Test {
 protected:
  // Until the poller has done what it was given before.
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

}  // namespace
}  // namespace yard::api
