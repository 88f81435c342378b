// The reader of a streamed answer, for tests: it takes a piece when it is told to.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "http/http.h"

namespace yard::api::testing {

class StreamRecorder {
 public:
  enum class Pace { kEager, kSlow };
  enum class Ending { kOpen, kWhole, kAborted };

  explicit StreamRecorder(Pace pace = Pace::kEager) : pace_(pace) {}

  // The producer's end; it may be asked for once.
  std::shared_ptr<http::Stream> stream() { return std::make_shared<End>(*this); }

  // Everything so far, once `part` is in it.
  std::string WaitFor(std::string_view part) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return text_.find(part) != std::string::npos; });
    return text_;
  }
  // Everything, once the answer has ended.
  std::string WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ending_ != Ending::kOpen; });
    return text_;
  }
  Ending ending() {
    std::lock_guard lock(mutex_);
    return ending_;
  }
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return text_.size();
  }
  // Lets a producer that waits go on; waits for one. False: the answer has ended instead.
  bool Take() {
    std::move_only_function<void()> ready;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ready_ != nullptr || ending_ != Ending::kOpen; });
      if (ending_ != Ending::kOpen) return false;
      ready = std::exchange(ready_, nullptr);
    }
    ready();
    return true;
  }
  // The reader goes away.
  void Leave() {
    std::move_only_function<void()> gone;
    {
      std::lock_guard lock(mutex_);
      left_ = true;
      gone = std::exchange(gone_, nullptr);
    }
    if (gone) gone();
  }

 private:
  class End final : public http::Stream {
   public:
    explicit End(StreamRecorder& recorder) : recorder_(recorder) {}
    // After an abort the recorder may be gone: whoever waits for the end leaves with it.
    ~End() override {
      if (!aborted_) recorder_.Finish(Ending::kWhole);
    }
    End(const End&) = delete;
    End& operator=(const End&) = delete;
    bool Write(std::string chunk) override {
      std::lock_guard lock(recorder_.mutex_);
      recorder_.text_ += chunk;
      recorder_.changed_.notify_all();
      return !recorder_.left_;
    }
    void OnDrained(std::move_only_function<void()> ready) override {
      if (recorder_.pace_ == Pace::kEager) return ready();
      std::lock_guard lock(recorder_.mutex_);
      recorder_.ready_ = std::move(ready);
      recorder_.changed_.notify_all();
    }
    void OnGone(std::move_only_function<void()> gone) override {
      std::lock_guard lock(recorder_.mutex_);
      recorder_.gone_ = std::move(gone);
    }
    void Abort() override {
      aborted_ = true;
      recorder_.Finish(Ending::kAborted);
    }

   private:
    StreamRecorder& recorder_;
    std::atomic<bool> aborted_ = false;
  };

  void Finish(Ending ending) {
    std::lock_guard lock(mutex_);
    if (ending_ == Ending::kOpen) ending_ = ending;
    changed_.notify_all();
  }

  const Pace pace_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  Ending ending_ = Ending::kOpen;
  bool left_ = false;
  std::move_only_function<void()> ready_;
  std::move_only_function<void()> gone_;
};

}  // namespace yard::api::testing
