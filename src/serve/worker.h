// Threads for work that would hold up an I/O thread or the reactor.
//
// The queue is bounded: when it is full the caller is told, and tells its client, instead of
// letting a flood of sign-ins eat the memory. Those who wait take turns: a flood of one of them
// delays another by one task each, and slow tasks of one leave threads to others. A thread starts
// when there is work for it.
// Thread-safe; what is queued is done before the end.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace yard::serve {

class Worker {
 public:
  using Task = std::move_only_function<void()>;
  struct Limits {
    std::size_t threads = 2;  // a password takes 64 MiB in each
    std::size_t queue = 64;
    std::size_t queue_of_one = std::numeric_limits<std::size_t>::max();  // of one party
    std::size_t threads_of_one = std::numeric_limits<std::size_t>::max();
  };

  Worker() : Worker(Limits{}) {}
  explicit Worker(Limits limits);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False if the queue is full; the task is dropped then. `party`: on whose behalf; nobody's own
  // tasks are not counted.
  [[nodiscard]] bool Post(Task task, std::string_view party = {});

 private:
  struct Line {
    std::string party;
    std::deque<Task> tasks;  // at least one
  };

  using Lines = std::list<Line>;

  // The line whose turn it is; the end if none may go on.
  Lines::iterator Next() YARD_REQUIRES(mutex_);
  Line Take(Lines::iterator line) YARD_REQUIRES(mutex_);  // its first task
  void Loop();

  const Limits limits_;

  Mutex mutex_;
  CondVar wake_;
  Lines lines_ YARD_GUARDED_BY(mutex_);             // the next in turn stands first
  std::size_t queued_ YARD_GUARDED_BY(mutex_) = 0;  // in all lines
  std::size_t idle_ YARD_GUARDED_BY(mutex_) = 0;    // threads that wait for a task
  // By party.
  std::map<std::string, std::size_t, std::less<>> running_ YARD_GUARDED_BY(mutex_);
  bool stopping_ YARD_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace yard::serve
