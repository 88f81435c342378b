// One thread that waits for many descriptors.
//
// Callbacks run on that thread and must be quick. Watch, Unwatch and Post may be called from any
// thread, also from a callback. After Unwatch returns, its callback does not run any more (unless
// the caller is that callback). The destructor ends the thread; what was posted is run first.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace yard::engine {

class EventLoop {
 public:
  static Result<std::unique_ptr<EventLoop>> Start();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Calls back whenever `fd` can be read. The descriptor stays the caller's.
  Status Watch(int fd, std::function<void()> readable);
  void Unwatch(int fd);
  // Runs `work` on the loop's thread, in order.
  void Post(std::function<void()> work);
  // Waits until all that was posted so far has run. Not from the loop's thread.
  void Flush();

 private:
  EventLoop(UniqueFd poll, UniqueFd wake);
  void Run();
  void RunPosted();
  void Call(std::uint64_t watch);

  const UniqueFd poll_;
  const UniqueFd wake_;
  std::recursive_mutex calls_;  // held while a callback runs; guards the next three
  // Events name the watch, not the descriptor: the next watch may have the same descriptor, and an
  // event that was taken from the kernel before is not for it.
  std::uint64_t last_watch_ = 0;
  std::map<int, std::uint64_t> watch_of_;  // by descriptor
  std::map<std::uint64_t, std::shared_ptr<std::function<void()>>> watches_;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;  // guarded by mutex_
  bool stop_ = false;                          // guarded by mutex_
  std::thread thread_;
};

}  // namespace yard::engine
