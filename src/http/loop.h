// One I/O thread: its event loop, its coarse clock, its connections.
//
// Deadlines are counted in ticks of the loop, and one sweep per tick looks at every connection:
// no request sets a timer. A Loop is shared by whoever may still answer a request; after Finish it
// takes no more work.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>

#include "base/time.h"
#include "http/gzip.h"

namespace boost::asio {
class io_context;
}

namespace yard::http {

// Something with a deadline that lives on a loop. Called on the loop's thread.
class Timed {
 public:
  virtual void OnTick(std::int64_t tick) = 0;
  // The server is stopping: end as soon as the running request is answered.
  virtual void OnStop() = 0;
  // The grace is over: end now.
  virtual void OnAbort() = 0;

 protected:
  ~Timed() = default;
};

// Written by the loop's thread, read by any.
struct LoopCounters {
  std::atomic<std::uint64_t> requests = 0;
  std::atomic<std::uint64_t> bytes_in = 0;
  std::atomic<std::uint64_t> bytes_out = 0;
  std::atomic<std::uint64_t> refused = 0;
};

// For counters with one writer: no locked instruction.
inline void Count(std::atomic<std::uint64_t>& counter, std::uint64_t by = 1) {
  counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

class Loop {
 public:
  Loop(Micros tick_length, const Clock& clock);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void Start();
  // Does the work that is ready, then ends the thread. What still waits for something (a timer of
  // a WebSocket, say) is dropped, and so are tasks posted later.
  void Finish();

  // Any thread.
  void Post(std::move_only_function<void()> task);
  bool IsCurrent() const;

  // The rest: the loop's thread only (context also before Start).
  boost::asio::io_context& context() { return *context_; }
  void Add(Timed& timed) { timed_.insert(&timed); }
  void Remove(Timed& timed) { timed_.erase(&timed); }
  void StopAll();
  void AbortAll();
  // Rounded up, so that a timeout is never shorter than asked for.
  std::int64_t TickIn(Micros delay) const;
  std::string_view date() const { return date_; }
  Gzipper& gzipper() { return gzipper_; }
  LoopCounters counters;

 private:
  struct Ticker;
  void Run();
  void Tick();
  void ArmTicker();

  const Micros tick_length_;
  const Clock& clock_;

  // Loop thread.
  std::int64_t tick_ = 0;
  std::int64_t date_second_ = -1;
  std::string date_;
  std::unordered_set<Timed*> timed_;
  Gzipper gzipper_;

  std::mutex mutex_;
  bool finished_ = false;  // guarded by mutex_

  std::unique_ptr<boost::asio::io_context> context_;
  std::unique_ptr<Ticker> ticker_;
  std::thread thread_;
};

}  // namespace yard::http
