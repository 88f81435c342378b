#include "control/state/watch.h"

#include <condition_variable>
#include <mutex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/testing/memory_service.h"

namespace yard::control {
namespace {

// Collects what a listener is told; can be told to hold the feed up.
class Ear {
 public:
  ChangeFeed::Sink sink() {
    return [this](const std::string& piece) {
      std::unique_lock lock(mutex_);
      text_ += piece;
      changed_.notify_all();
      changed_.wait(lock, [&] { return !held_; });
      return true;
    };
  }
  std::string WaitFor(std::string_view part) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return text_.contains(part); });
    return text_;
  }
  void Hold() { SetHeld(true); }
  void Release() { SetHeld(false); }

 private:
  void SetHeld(bool held) {
    std::lock_guard lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  bool held_ = false;
};

class FeedTest : public ::testing::Test {
 protected:
  // Makes users first, first + 1, … below end, each in a commit of its own.
  void MakeUsers(int first, int end) {
    for (int i = first; i < end; ++i) {
      auto make = [i](Txn& txn) -> Status {
        txn.Put(User{.id = UserId{txn.NewUuid()}, .email = fmt::format("user-{}", i)});
        return {};
      };
      ASSERT_TRUE(service_->WriteAndWait(SystemPrincipal(), make));
    }
  }
  static Result<Principal> Everything(const State&) { return SystemPrincipal(); }

  ManualClock clock_;
  SeededRandom random_{1};
  std::unique_ptr<Service> service_ = StartInMemory(clock_, random_);
};

TEST_F(FeedTest, AListenerTooFarBehindIsToldWhereToGoOnAfterReadingEverythingAnew) {
  MakeUsers(0, 20);
  Ear ear;
  ChangeFeed feed(*service_, {.replay = 10});
  feed.Listen(Everything, 5, ear.sink());
  EXPECT_EQ(ear.WaitFor("resync"), "event: resync\nid: 20\ndata: {\"sequence\":20}\n\n");
}

TEST_F(FeedTest, WhenTheQueueRunsOverListenersGoOnFromTheJournal) {
  Ear ear;
  ChangeFeed feed(*service_, {.queue = 3});
  feed.Listen(Everything, std::nullopt, ear.sink());
  ear.Hold();
  MakeUsers(0, 1);
  ear.WaitFor("user-0");
  MakeUsers(1, 20);
  ear.Release();
  std::string text = ear.WaitFor("\"user-19\"");
  std::size_t at = 0;
  for (int i = 0; i < 20; ++i) {
    std::string name = fmt::format("\"name\":\"user-{}\"", i);
    at = text.find(name, at);
    ASSERT_NE(at, std::string::npos) << name << " is missing, told twice or out of order";
    EXPECT_EQ(text.find(name, at + 1), std::string::npos) << name;
  }
}

TEST_F(FeedTest, ALongReplayDoesNotHoldUpOtherListeners) {
  constexpr int kHistory = 1'000;
  MakeUsers(0, kHistory);
  Ear live;
  int replayed = 0;
  int replayed_when_heard = 0;
  ChangeFeed feed(*service_);
  feed.Listen(Everything, std::nullopt, [&](const std::string& piece) {
    replayed_when_heard = replayed;
    return live.sink()(piece);
  });
  // A change is made once the replay is under way.
  feed.Listen(Everything, 0, [&](const std::string&) {
    if (++replayed == 1) MakeUsers(kHistory, kHistory + 1);
    return true;
  });
  live.WaitFor("user-1000");
  EXPECT_LT(replayed_when_heard, kHistory);
}

}  // namespace
}  // namespace yard::control
