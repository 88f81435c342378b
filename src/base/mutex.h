// Mutexes whose use clang checks: a field says which mutex guards it, a function which one its
// caller must hold.
//
//   MutexLock lock(mutex_);
//   wake_.wait(lock, [this]() YARD_REQUIRES(mutex_) { return stopping_; });
//
//   mutable Mutex mutex_;
//   bool stopping_ YARD_GUARDED_BY(mutex_) = false;
//
// The annotations mean nothing to GCC. clang-tidy and the fuzz targets are built with
// -Wthread-safety, as errors. Names are those of the standard library, so that its algorithms and
// condition_variable_any take them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#if defined(__clang__)
#define YARD_ATTRIBUTE_(x) __attribute__((x))
#else
#define YARD_ATTRIBUTE_(x)
#endif

#define YARD_GUARDED_BY(mutex) YARD_ATTRIBUTE_(guarded_by(mutex))
#define YARD_REQUIRES(mutex) YARD_ATTRIBUTE_(requires_capability(mutex))
#define YARD_EXCLUDES(mutex) YARD_ATTRIBUTE_(locks_excluded(mutex))

namespace yard {

class YARD_ATTRIBUTE_(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() YARD_ATTRIBUTE_(acquire_capability()) { mutex_.lock(); }
  void unlock() YARD_ATTRIBUTE_(release_capability()) { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds a mutex until the end of its block; may let go of it meanwhile.
class YARD_ATTRIBUTE_(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) YARD_ATTRIBUTE_(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~MutexLock() YARD_ATTRIBUTE_(release_capability()) {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() YARD_ATTRIBUTE_(acquire_capability()) { lock_.lock(); }
  void unlock() YARD_ATTRIBUTE_(release_capability()) { lock_.unlock(); }

 private:
  friend class CondVar;
  std::unique_lock<std::mutex> lock_;
};

// The lock is held when a wait begins and when it returns.
class CondVar {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  template <class Done>
  void wait(MutexLock& lock, Done done) {
    condition_.wait(lock.lock_, std::move(done));
  }
  template <class Rep, class Period>
  std::cv_status wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> most) {
    return condition_.wait_for(lock.lock_, most);
  }
  template <class Rep, class Period, class Done>
  bool wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> most, Done done) {
    return condition_.wait_for(lock.lock_, most, std::move(done));
  }

 private:
  std::condition_variable condition_;
};

}  // namespace yard
