#include "serve/worker.h"

#include <utility>

namespace yard::serve {

Worker::Worker(Limits limits) : limits_(limits) {}

Worker::~Worker() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Worker::Post(Task task) {
  {
    std::lock_guard lock(mutex_);
    if (queue_.size() >= limits_.queue) return false;
    queue_.push_back(std::move(task));
    if (queue_.size() > idle_ && threads_.size() < limits_.threads && !stopping_) {
      threads_.emplace_back([this] { Loop(); });
    }
  }
  wake_.notify_one();
  return true;
}

void Worker::Loop() {
  while (true) {
    std::unique_lock lock(mutex_);
    ++idle_;
    wake_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    --idle_;
    if (queue_.empty()) return;
    Task task = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    task();
  }
}

}  // namespace yard::serve
