#include "serve/worker.h"

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

}  // namespace
}  // namespace yard::serve
