#include "http/crowd.h"

#include <gtest/gtest.h>

#include "http/responder.h"

namespace yard::http {
namespace {

// Connections whose thread does not run before the end.
class CrowdTest : public ::testing::Test {
 protected:
  // What was posted goes with it.
  ~CrowdTest() override {
    loop_->Start();
    loop_->Finish();
  }
  std::shared_ptr<Seat> Enter(Crowd& crowd, const std::string& network) {
    std::shared_ptr<Seat> seat = crowd.Take(network);
    if (!seat) return nullptr;
    links_.push_back(std::make_shared<Link>(loop_, nullptr));
    crowd.Settle(*seat, links_.back());
    return seat;
  }

 private:
  std::shared_ptr<Loop> loop_ = std::make_shared<Loop>(Seconds(1), SystemClock());
  std::vector<std::shared_ptr<Link>> links_;
};

TEST_F(CrowdTest, TheOldestIdleConnectionOfTheLargestNetworkGivesWay) {
  Crowd crowd(4, 1);
  auto single = Enter(crowd, "single");
  auto busy = Enter(crowd, "large");
  auto idle = Enter(crowd, "large");
  auto later = Enter(crowd, "large");
  busy->idle = false;
  ASSERT_NE(Enter(crowd, "new"), nullptr);
  EXPECT_TRUE(idle->left);
  EXPECT_FALSE(single->left || busy->left || later->left);
}

TEST_F(CrowdTest, TheOldestGivesWayWhereAllAreBusy) {
  Crowd crowd(2, 1);
  auto first = Enter(crowd, "large");
  auto second = Enter(crowd, "large");
  first->idle = second->idle = false;
  ASSERT_NE(Enter(crowd, "new"), nullptr);
  EXPECT_TRUE(first->left);
  EXPECT_FALSE(second->left);
}

TEST_F(CrowdTest, NobodyGivesWayToOneWhoHasAsMuch) {
  Crowd crowd(3, 1);
  auto first = Enter(crowd, "a");
  auto second = Enter(crowd, "a");
  auto third = Enter(crowd, "b");
  EXPECT_EQ(Enter(crowd, "a"), nullptr);
  EXPECT_EQ(Enter(crowd, "b"), nullptr);
  crowd.Leave(second);
  EXPECT_NE(Enter(crowd, "b"), nullptr);
}

TEST_F(CrowdTest, AConnectionLeavesOnce) {
  Crowd crowd(2, 1);
  auto first = Enter(crowd, "a");
  auto second = Enter(crowd, "a");
  auto third = Enter(crowd, "b");
  ASSERT_TRUE(first->left);
  crowd.Leave(first);  // its thread has closed it
  EXPECT_EQ(Enter(crowd, "a"), nullptr);
  crowd.Leave(third);
  EXPECT_NE(Enter(crowd, "a"), nullptr);
}

}  // namespace
}  // namespace yard::http
