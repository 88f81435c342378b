#include "engine/local/containers/processes.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace yard::engine::containers {
namespace {

using ::testing::Contains;

// A shell with two programs beside it, one in a session of its own, that count from 1.
class Space {
 public:
  Space() : outer_(::fork()) {
    if (outer_ != 0) return;
    ::execlp("unshare", "unshare", "--user", "--pid", "--fork", "--kill-child", "sh", "-c",
             "setsid sleep 1000 & sleep 1000; true", nullptr);
    ::_exit(127);
  }
  ~Space() {
    if (outer_ == 0) return;
    ::kill(outer_, SIGKILL);
    ::waitpid(outer_, nullptr, 0);
  }
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  // Nothing in it ends by itself.
  bool IsRefused() {
    if (outer_ != 0 && ::waitpid(outer_, nullptr, WNOHANG) == outer_) outer_ = 0;
    return outer_ == 0;
  }
  // 0 until it is there.
  int first() const {
    int pid = 0;
    std::ifstream(fmt::format("/proc/{0}/task/{0}/children", outer_)) >> pid;
    return pid;
  }

 private:
  pid_t outer_;
};

TEST(ProcessesBeside, AreThoseOfTheContainerInWhateverSession) {
  Space space;
  std::vector<int> found;
  for (int round = 0; round < 3000 && found.size() != 3; ++round) {
    ::poll(nullptr, 0, 10);
    if (space.IsRefused()) GTEST_SKIP() << "this account may make no space for process numbers";
    if (space.first() != 0) found = ProcessesBeside(space.first());
  }
  ASSERT_EQ(found.size(), 3U);
  EXPECT_THAT(found, Contains(space.first()));
}

TEST(ProcessesBeside, AreThoseOfTheSessionWhereThereIsNoContainer) {
  EXPECT_THAT(ProcessesBeside(::getsid(0)), Contains(::getpid()));
}

}  // namespace
}  // namespace yard::engine::containers
