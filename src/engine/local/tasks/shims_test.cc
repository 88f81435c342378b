#include "engine/local/tasks/shims.h"

#include <stdlib.h>

#include <filesystem>

#include <gtest/gtest.h>

namespace yard::engine {
namespace {

class ShimsTest : public ::testing::Test {
 protected:
  ShimsTest() {
    char path[] = "/tmp/gpuyard-shims-XXXXXX";
    root_ = ::mkdtemp(path);
    std::filesystem::create_directory(root_ + "/tasks");
    folder_.emplace(root_, spec_.key);
    loop_ = *EventLoop::Start();
    EXPECT_TRUE(folder_->Make());
  }
  ~ShimsTest() override { std::filesystem::remove_all(root_); }

  // As far as these shims know, nobody watches over the task.
  Status Stop() {
    Shims shims(*loop_, "/nowhere", [](const ShimmedTaskPointer&) {});
    return shims.Stop({spec_, *folder_}, {});
  }

  std::string root_;
  TaskSpec spec_;
  std::optional<TaskFolder> folder_;
  std::unique_ptr<EventLoop> loop_;
};

TEST_F(ShimsTest, AStopThatReachesNobodyIsToBeGivenAgain) {
  Status stopped = Stop();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Code::kUnavailable);
}

TEST_F(ShimsTest, AStopOfATaskWhoseEndIsOnRecordSucceeds) {
  ASSERT_TRUE(folder_->WriteEnd({EndCause::kCompleted, 0, {}, "the command ended well", Time{9}}));
  EXPECT_TRUE(Stop());
}

}  // namespace
}  // namespace yard::engine
