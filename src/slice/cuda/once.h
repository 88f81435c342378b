// One-time work and short mutual exclusion without libstdc++, constructors or thread-local data.
//
// Both are all-zero at rest, so they may lie in memory that a fork wipes.
#pragma once

#include <sched.h>

#include <atomic>

namespace yard::slice {

class Once {
 public:
  template <class F>
  void Run(F work) {
    if (state_.load(std::memory_order_acquire) == kDone) return;
    unsigned expected = kNew;
    if (state_.compare_exchange_strong(expected, kRunning)) {
      work();
      state_.store(kDone, std::memory_order_release);
      return;
    }
    while (state_.load(std::memory_order_acquire) != kDone) sched_yield();
  }

 private:
  enum : unsigned { kNew, kRunning, kDone };
  std::atomic<unsigned> state_;
};

// Never held across a call into the driver.
class SpinLock {
 public:
  void Lock() {
    while (taken_.exchange(1, std::memory_order_acquire) != 0) sched_yield();
  }
  void Unlock() { taken_.store(0, std::memory_order_release); }

 private:
  std::atomic<unsigned> taken_;
};

class Locked {
 public:
  explicit Locked(SpinLock& lock) : lock_(lock) { lock_.Lock(); }
  ~Locked() { lock_.Unlock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace yard::slice
