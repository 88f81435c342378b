// One thread that waits for many descriptors: pipes and sockets of running work.
//
// A wait is for one event: it calls back once, on the poller's thread, and has to be asked for
// again. Callbacks must not block. Post, Stop and the destructor may come from any thread, the
// rest belongs to the poller's own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/mutex.h"

namespace yard::serve {

class Poller {
 public:
  using Task = std::move_only_function<void()>;

  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Runs it soon; drops it after Stop.
  void Post(Task task);
  // Ends the thread and drops what waits. Idempotent.
  void Stop();

  // When a read would not block: bytes, the end, or an error are there.
  void OnReadable(int fd, Task ready);
  void OnWritable(int fd, Task ready);
  // Drops what waits for the descriptor. To be called before it is closed.
  void Forget(int fd);

 private:
  struct Waits {
    Task readable;
    Task writable;
    bool known = false;        // to the kernel
    std::uint32_t serial = 0;  // tells it from earlier waits for the same number
  };

  void Run();
  void Arm(int fd);
  void Fire(int fd, unsigned events);
  bool RunPosted();

  const UniqueFd epoll_;
  const UniqueFd wake_;

  // Poller's thread.
  std::map<int, Waits> waits_;
  std::uint32_t last_serial_ = 0;

  Mutex mutex_;
  std::vector<Task> posted_ YARD_GUARDED_BY(mutex_);
  bool stopped_ YARD_GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace yard::serve
