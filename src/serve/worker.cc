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
  MutexLock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [&]() YARD_REQUIRES(mutex_) {
      return (stopping_ && queued_ == 0) || Next() != lines_.end();
    });
    --idle_;
    if (queued_ == 0) return;
    Line turn = Take(Next());
    ++running_[turn.party];
    lock.unlock();
    turn.tasks.front()();
    turn.tasks.clear();
    lock.lock();
    if (--running_[turn.party] == 0) running_.erase(turn.party);
    // Another thread may have passed the party over.
    wake_.notify_all();
  }
}

Worker::Lines::iterator Worker::Next() {
  return std::ranges::find_if(lines_, [&](const Line& line) YARD_REQUIRES(mutex_) {
    if (line.party.empty()) return true;
    auto running = running_.find(line.party);
    return running == running_.end() || running->second < limits_.threads_of_one;
  });
}

// The party whose turn it was stands last now.
Worker::Line Worker::Take(Lines::iterator line) {
  Line turn{line->party, {}};
  turn.tasks.push_back(std::move(line->tasks.front()));
  line->tasks.pop_front();
  --queued_;
  if (line->tasks.empty()) {
    lines_.erase(line);
  } else {
    lines_.splice(lines_.end(), lines_, line);
  }
  return turn;
}

}  // namespace yard::serve
