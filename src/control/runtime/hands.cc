#include "control/runtime/hands.h"

#include <utility>

namespace yard::control {

Hands::Hands(std::size_t threads) {
  for (std::size_t i = 0; i < threads; ++i) {
    Hand& hand = *hands_.emplace_back(std::make_unique<Hand>());
    hand.thread = std::thread([this, &hand] { Loop(hand); });
  }
}

Hands::~Hands() {
  Stop();
}

void Hands::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    for (auto& hand : hands_) hand->wake.notify_all();
  }
  for (auto& hand : hands_) {
    if (hand->thread.joinable()) hand->thread.join();
  }
}

void Hands::Do(std::size_t lane, Job job) {
  MutexLock lock(mutex_);
  if (stopping_) return;
  Hand& hand = *hands_[lane % hands_.size()];
  hand.jobs.push_back(std::move(job));
  ++unfinished_;
  hand.wake.notify_one();
}

bool Hands::idle() const {
  MutexLock lock(mutex_);
  return unfinished_ == 0;
}

void Hands::Loop(Hand& hand) {
  MutexLock lock(mutex_);
  while (true) {
    hand.wake.wait(lock, [&]() YARD_REQUIRES(mutex_) { return stopping_ || !hand.jobs.empty(); });
    if (stopping_) return;
    Job job = std::move(hand.jobs.front());
    hand.jobs.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
    --unfinished_;
  }
}

}  // namespace yard::control
