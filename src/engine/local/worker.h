// One thread for work that may block: pieces run one after the other, in order.
//
// Add may be called from any thread. The destructor runs what was added, then ends the thread.
#pragma once

#include <deque>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace yard::engine {

class Worker {
 public:
  Worker() : thread_([this] { Run(); }) {}
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void Add(std::function<void()> work);

 private:
  void Run();

  Mutex mutex_;
  CondVar added_;
  std::deque<std::function<void()>> work_ YARD_GUARDED_BY(mutex_);
  bool stop_ YARD_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace yard::engine
