// A few threads that make calls which may block, so that the driver never does.
//
// Calls of one lane are made in the order they were given; lanes do not wait for each other as
// long as they are on different threads. What was not begun when it is destroyed is dropped.
// Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace yard::control {

class Hands {
 public:
  using Job = std::move_only_function<void()>;

  explicit Hands(std::size_t threads);
  ~Hands();

  void Do(std::size_t lane, Job job);
  // Nothing is waiting or being done.
  bool idle() const;
  // No job begins any more; returns when the last has ended.
  void Stop();

 private:
  struct Hand {
    CondVar wake;
    std::deque<Job> jobs;
    std::thread thread;
  };
  void Loop(Hand& hand);

  mutable Mutex mutex_;
  // Guarded by mutex_, except the threads.
  std::vector<std::unique_ptr<Hand>> hands_;
  std::size_t unfinished_ YARD_GUARDED_BY(mutex_) = 0;
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;
};

}  // namespace yard::control
