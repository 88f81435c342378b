// Calls that may never return, made bearable: run on a thread of their own, given up after a
// while. A call that was given up keeps its thread until it returns; until then no further call
// is started, so a sick GPU costs one thread, not one a second.
// Threads: one caller at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace yard::slice {

template <class T>
class Watchdog {
 public:
  explicit Watchdog(std::chrono::milliseconds limit) : limit_(limit) {}

  // The answer, or nothing if it did not come in time or an earlier call still hangs. `work` must
  // own what it uses: it may outlive the caller.
  std::optional<T> Ask(std::function<T()> work) {
    if (last_ != nullptr && !last_->IsDone()) return std::nullopt;
    last_ = std::make_shared<Call>();
    std::thread([call = last_, work = std::move(work)] { call->Finish(work()); }).detach();
    return last_->Wait(limit_);
  }

  bool Hangs() const { return last_ != nullptr && !last_->IsDone(); }

 private:
  struct Call {
    std::mutex mutex;
    std::condition_variable done;
    std::optional<T> answer;  // guarded by mutex

    void Finish(T value) {
      std::lock_guard hold(mutex);
      answer = std::move(value);
      done.notify_all();
    }
    bool IsDone() {
      std::lock_guard hold(mutex);
      return answer.has_value();
    }
    std::optional<T> Wait(std::chrono::milliseconds limit) {
      std::unique_lock hold(mutex);
      done.wait_for(hold, limit, [this] { return answer.has_value(); });
      return answer;
    }
  };

  const std::chrono::milliseconds limit_;
  std::shared_ptr<Call> last_;
};

}  // namespace yard::slice
