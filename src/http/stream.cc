#include "http/stream.h"

#include <utility>

namespace yard::http {

bool StreamQueue::Push(std::string piece) {
  std::unique_lock lock(mutex_);
  if (closed_ || state_ != State::kOpen) return false;
  std::size_t waiting = pending_.size() + in_flight_;
  bool too_much = waiting > 0 && waiting + piece.size() > backlog_bytes_;
  if (too_much || !unsent_.Set(waiting + piece.size())) {
    state_ = State::kOverrun;
    // The connection may be stuck in a write and have to be told again.
    woken_ = false;
    WakeOnce(std::move(lock));
    return false;
  }
  if (pending_.empty()) {
    pending_ = std::move(piece);
  } else {
    pending_ += piece;
  }
  WakeOnce(std::move(lock));
  return true;
}

void StreamQueue::End() {
  std::unique_lock lock(mutex_);
  if (state_ != State::kOpen) return;
  state_ = State::kEnded;
  WakeOnce(std::move(lock));
}

void StreamQueue::Abort() {
  std::unique_lock lock(mutex_);
  if (state_ != State::kOpen) return;
  state_ = State::kOverrun;
  woken_ = false;
  WakeOnce(std::move(lock));
}

// The connection looks again and then calls back, so that the callback never runs in here.
void StreamQueue::OnDrained(std::move_only_function<void()> ready) {
  std::unique_lock lock(mutex_);
  if (closed_) {
    lock.unlock();
    return ready();
  }
  drained_ = std::move(ready);
  WakeOnce(std::move(lock));
}

void StreamQueue::OnGone(std::move_only_function<void()> gone) {
  std::unique_lock lock(mutex_);
  if (!closed_) {
    gone_ = std::move(gone);
    return;
  }
  lock.unlock();
  gone();
}

StreamQueue::Batch StreamQueue::Take() {
  std::unique_lock lock(mutex_);
  woken_ = false;
  in_flight_ = pending_.size();
  unsent_.Set(in_flight_);
  Batch batch{std::exchange(pending_, {}), state_};
  if (in_flight_ > 0 || !drained_) return batch;
  auto drained = std::exchange(drained_, nullptr);
  lock.unlock();
  drained();
  return batch;
}

bool StreamQueue::overrun() {
  std::lock_guard lock(mutex_);
  return state_ == State::kOverrun;
}

void StreamQueue::Close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  pending_.clear();
  unsent_.Set(0);
  auto drained = std::exchange(drained_, nullptr);
  auto gone = std::exchange(gone_, nullptr);
  lock.unlock();
  if (drained) drained();
  if (gone) gone();
}

// The connection is told outside the lock: it may answer at once.
void StreamQueue::WakeOnce(std::unique_lock<std::mutex> lock) {
  if (closed_ || std::exchange(woken_, true)) return;
  lock.unlock();
  wake_();
}

}  // namespace yard::http
