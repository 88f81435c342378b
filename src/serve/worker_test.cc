#include "serve/worker.h"

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::serve {
namespace {

using ::testing::ElementsAre;

// One thread, which waits until it is let go: what is posted meanwhile stands in line.
class HeldWorker {
 public:
  explicit HeldWorker(Worker::Limits limits) : worker_(std::in_place, limits) {
    std::promise<void> started;
    EXPECT_TRUE(worker_->Post([&, held = held_.get_future()] {
      started.set_value();
      held.wait();
    }));
    started.get_future().wait();
  }
  bool Post(const std::string& name, std::string_view party) {
    return worker_->Post([this, name] { done_.push_back(name); }, party);
  }
  std::vector<std::string> Finish() {
    held_.set_value();
    worker_.reset();
    return done_;
  }

 private:
  std::promise<void> held_;
  std::vector<std::string> done_;  // the worker's thread
  std::optional<Worker> worker_;
};

TEST(Workers, LetPartiesTakeTurns) {
  HeldWorker worker({.threads = 1});
  for (std::string name : {"a1", "a2", "a3"}) ASSERT_TRUE(worker.Post(name, "a"));
  ASSERT_TRUE(worker.Post("b1", "b"));
  EXPECT_THAT(worker.Finish(), ElementsAre("a1", "b1", "a2", "a3"));
}

TEST(Workers, KeepRoomForOtherParties) {
  HeldWorker worker({.threads = 1, .queue = 4, .queue_of_one = 2});
  EXPECT_TRUE(worker.Post("a1", "a"));
  EXPECT_TRUE(worker.Post("a2", "a"));
  EXPECT_FALSE(worker.Post("a3", "a"));
  EXPECT_TRUE(worker.Post("b1", "b"));
  EXPECT_TRUE(worker.Post("c1", "c"));
  EXPECT_FALSE(worker.Post("d1", "d"));
  EXPECT_THAT(worker.Finish(), ElementsAre("a1", "b1", "c1", "a2"));
}

TEST(Workers, KeepThreadsForOtherParties) {
  Worker worker({.threads = 2, .threads_of_one = 1});
  std::promise<void> go;
  std::promise<void> done_a;
  std::promise<void> done_b;
  std::shared_future<void> gone = go.get_future().share();
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(worker.Post(
        [&, i] {
          gone.wait();
          if (i == 2) done_a.set_value();
        },
        "a"));
  }
  ASSERT_TRUE(worker.Post([&] { done_b.set_value(); }, "b"));
  done_b.get_future().wait();
  go.set_value();
  done_a.get_future().wait();
}

TEST(Workers, DoWhatIsQueuedBeforeTheEnd) {
  std::atomic<int> done = 0;
  {
    Worker worker({.threads = 2, .threads_of_one = 1});
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(worker.Post([&] { ++done; }, "a"));
  }
  EXPECT_EQ(done, 20);
}

}  // namespace
}  // namespace yard::serve
