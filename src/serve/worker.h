// Threads for work that would hold up an I/O thread or the reactor.
//
// The queue is bounded: when it is full the caller is told, and tells its client, instead of
// letting a flood of sign-ins eat the memory. A thread starts when there is work for it.
// Thread-safe; what is queued is done before the end.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace yard::serve {

class Worker {
 public:
  using Task = std::move_only_function<void()>;
  struct Limits {
    std::size_t threads = 2;  // a password takes 64 MiB in each
    std::size_t queue = 64;
  };

  Worker() : Worker(Limits{}) {}
  explicit Worker(Limits limits);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False if the queue is full; the task is dropped then.
  [[nodiscard]] bool Post(Task task);

 private:
  void Loop();

  const Limits limits_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> queue_;
  std::size_t idle_ = 0;  // threads that wait for a task
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace yard::serve
