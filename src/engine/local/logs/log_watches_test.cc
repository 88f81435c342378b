#include "engine/local/logs/log_watches.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>

#include <gtest/gtest.h>

#include "engine/engine.h"

namespace yard::engine {
namespace {

namespace fs = std::filesystem;

TEST(LogWatches, AWatcherIsCalledAlthoughTheKernelDroppedItsEvent) {
  char path[] = "/tmp/gpuyard-watch-XXXXXX";
  const fs::path root = ::mkdtemp(path);
  for (const char* name : {"busy", "quiet"}) fs::create_directory(root / name);
  Result<std::unique_ptr<EventLoop>> loop = EventLoop::Start();
  ASSERT_TRUE(loop);
  {
    Result<std::shared_ptr<LogWatches>> watches = LogWatches::Start(**loop);
    ASSERT_TRUE(watches);
    std::atomic<int> called = 0;
    auto busy = LogWatches::Add(*watches, root / "busy", [] {});
    auto quiet = LogWatches::Add(*watches, root / "quiet", [&] { ++called; });
    ASSERT_TRUE(busy && quiet);
    (*loop)->Flush();  // each is called once at the beginning
    const int before = called;

    std::promise<void> full;
    (*loop)->Post([&] { full.get_future().wait(); });
    int most = 0;
    std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> most;
    ASSERT_GT(most, 0);
    // Events that follow each other and are the same count once, so two files take turns.
    const UniqueFd one(::open((root / "busy/1").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    const UniqueFd two(::open((root / "busy/2").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    for (int i = 0; i <= most; ++i)
      ASSERT_EQ(::pwrite((i % 2 == 0 ? one : two).get(), "x", 1, 0), 1);
    std::ofstream(root / "quiet/log") << "its event does not fit any more";
    full.set_value();
    // The loop reads a part of the queue at a time.
    for (int i = 0; called == before && i < most; ++i) (*loop)->Flush();
    EXPECT_GT(called, before);
  }
  fs::remove_all(root);
}

}  // namespace
}  // namespace yard::engine
