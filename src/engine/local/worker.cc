#include "engine/local/worker.h"

#include <utility>

namespace yard::engine {

Worker::~Worker() {
  {
    MutexLock hold(mutex_);
    stop_ = true;
  }
  added_.notify_one();
  thread_.join();
}

void Worker::Add(std::function<void()> work) {
  {
    MutexLock hold(mutex_);
    work_.push_back(std::move(work));
  }
  added_.notify_one();
}

void Worker::Run() {
  MutexLock hold(mutex_);
  for (;;) {
    added_.wait(hold, [this]() YARD_REQUIRES(mutex_) { return stop_ || !work_.empty(); });
    if (work_.empty()) return;
    std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    hold.unlock();
    work();
    hold.lock();
  }
}

}  // namespace yard::engine
