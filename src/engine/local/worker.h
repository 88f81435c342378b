// One thread for work that may block: pieces run one after the other, in order.
//
// Add may be called from any thread. The destructor runs what was added, then ends the thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

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

  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::function<void()>> work_;  // guarded by mutex_
  bool stop_ = false;                       // guarded by mutex_
  std::thread thread_;
};

}  // namespace yard::engine
