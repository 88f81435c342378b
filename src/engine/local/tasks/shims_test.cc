#include "engine/local/tasks/shims.h"

#include <gtest/gtest.h>

namespace yard::engine {
namespace {

TEST(Shims, AStopThatReachesNobodyIsToBeGivenAgain) {
  Result<std::unique_ptr<EventLoop>> loop = EventLoop::Start();
  ASSERT_TRUE(loop);
  Shims shims(**loop, "/nowhere", [](const ShimmedTaskPointer&) {});
  Status stopped = shims.Stop(TaskKey{}, {});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Code::kUnavailable);
}

}  // namespace
}  // namespace yard::engine
