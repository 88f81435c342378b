#include "serve/worker.h"

#include <algorithm>
#include <utility>

namespace yard::serve {

Worker::Worker(Limits limits) : limits_(limits) {}

Worker::~Worker() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Worker::Post(Task task, std::string_view party) {
  {
    MutexLock lock(mutex_);
    auto line = std::ranges::find(lines_, party, &Line::party);
    std::size_t held = line == lines_.end() ? 0 : line->tasks.size();
    if (queued_ >= limits_.queue || held >= limits_.queue_of_one) return false;
    if (held == 0) line = lines_.insert(lines_.end(), Line{std::string(party), {}});
    line->tasks.push_back(std::move(task));
    ++queued_;
    if (queued_ > idle_ && threads_.size() < limits_.threads && !stopping_) {
      threads_.emplace_back([this] { Loop(); });
    }
  }
  wake_.notify_one();
  return true;
}

void Worker::Loop() {
  while (true) {
    MutexLock lock(mutex_);
    ++idle_;
    wake_.wait(lock, [&]() YARD_REQUIRES(mutex_) { return stopping_ || queued_ > 0; });
    --idle_;
    if (queued_ == 0) return;
    Task task = Next();
    lock.unlock();
    task();
  }
}

// The party whose turn it was stands last now.
Worker::Task Worker::Next() {
  auto line = lines_.begin();
  Task task = std::move(line->tasks.front());
  line->tasks.pop_front();
  --queued_;
  if (line->tasks.empty()) {
    lines_.erase(line);
  } else {
    lines_.splice(lines_.end(), lines_, line);
  }
  return task;
}

}  // namespace yard::serve
