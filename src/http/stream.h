// The queue between a producer on any thread and the connection that writes.
//
// Bounded: a producer that is faster than its reader is refused, and the connection is cut.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "http/http.h"
#include "http/unsent.h"

namespace yard::http {

// Thread-safe. `wake` tells the connection that there is something to do; it is called at most
// once until the connection takes.
class StreamQueue {
 public:
  enum class State { kOpen, kEnded, kOverrun };
  struct Batch {
    std::string bytes;
    State state = State::kOpen;
  };

  StreamQueue(std::size_t backlog_bytes, std::function<void()> wake,
              std::shared_ptr<Unsent> unsent = nullptr)
      : backlog_bytes_(backlog_bytes), wake_(std::move(wake)), unsent_(std::move(unsent)) {}

  // Producer. A single piece is taken whatever its size if nothing waits before it.
  bool Push(std::string piece);
  void End();
  void Abort();
  void OnDrained(std::move_only_function<void()> ready);
  void OnGone(std::move_only_function<void()> gone);

  // Connection. What was taken counts as backlog until the next call, which says that it left.
  Batch Take();
  bool overrun();
  void Close();

 private:
  void WakeOnce(std::unique_lock<std::mutex> lock);

  const std::size_t backlog_bytes_;
  const std::function<void()> wake_;

  std::mutex mutex_;
  UnsentPart unsent_;  // guarded by mutex_, as all below
  std::string pending_;
  std::size_t in_flight_ = 0;
  State state_ = State::kOpen;
  bool closed_ = false;
  bool woken_ = false;
  std::move_only_function<void()> drained_;
  std::move_only_function<void()> gone_;
};

// What the producer holds; its end is the end of the answer.
class QueuedStream final : public Stream {
 public:
  explicit QueuedStream(std::shared_ptr<StreamQueue> queue) : queue_(std::move(queue)) {}
  ~QueuedStream() override { queue_->End(); }
  QueuedStream(const QueuedStream&) = delete;
  QueuedStream& operator=(const QueuedStream&) = delete;
  bool Write(std::string chunk) override { return queue_->Push(std::move(chunk)); }
  void OnDrained(std::move_only_function<void()> ready) override {
    queue_->OnDrained(std::move(ready));
  }
  void OnGone(std::move_only_function<void()> gone) override { queue_->OnGone(std::move(gone)); }
  void Abort() override { queue_->Abort(); }

 private:
  std::shared_ptr<StreamQueue> queue_;
};

}  // namespace yard::http
