#include "base/mutex.h"

#include <thread>

#include <gtest/gtest.h>

namespace yard {
namespace {

class Gate {
 public:
  void Open() {
    MutexLock lock(mutex_);
    open_ = true;
    wake_.notify_all();
  }
  void Pass() {
    MutexLock lock(mutex_);
    wake_.wait(lock, [this]() YARD_REQUIRES(mutex_) { return open_; });
    ++passed_;
  }
  bool PassWithin(std::chrono::milliseconds most) {
    MutexLock lock(mutex_);
    return wake_.wait_for(lock, most, [this]() YARD_REQUIRES(mutex_) { return open_; });
  }
  int passed() {
    MutexLock lock(mutex_);
    return passed_;
  }

 private:
  Mutex mutex_;
  CondVar wake_;
  bool open_ YARD_GUARDED_BY(mutex_) = false;
  int passed_ YARD_GUARDED_BY(mutex_) = 0;
};

TEST(Mutexes, LetOneThreadInAtATimeAndWakeThoseWhoWait) {
  Gate gate;
  EXPECT_FALSE(gate.PassWithin(std::chrono::milliseconds(0)));
  {
    std::jthread first([&] { gate.Pass(); });
    std::jthread second([&] { gate.Pass(); });
    gate.Open();
  }
  EXPECT_EQ(gate.passed(), 2);
  EXPECT_TRUE(gate.PassWithin(std::chrono::milliseconds(0)));
}

TEST(MutexLocks, MayLetGoMeanwhile) {
  Mutex mutex;
  MutexLock lock(mutex);
  lock.unlock();
  {
    MutexLock other(mutex);
  }
  lock.lock();
}

}  // namespace
}  // namespace yard
