#include "control/data/view_maker.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace yard::control {
namespace {

constexpr std::size_t kMostThreads = 2;
constexpr std::chrono::milliseconds kMoment(500);
constexpr Micros kFailureTold = Seconds(10);
constexpr std::size_t kMostFailures = 1000;

}  // namespace

ViewMaker::~ViewMaker() {
  {
    const std::lock_guard hold(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

bool ViewMaker::Knows(const std::string& name) const {
  return std::ranges::find(waiting_, name, &Order::name) != waiting_.end() ||
         std::ranges::any_of(making_, [&](const auto& one) { return one.second == name; });
}

std::optional<Status> ViewMaker::FailureOf(const std::string& name, Time now) {
  std::erase_if(failures_, [&](const auto& one) {
    return one.second.told_at && *one.second.told_at + kFailureTold < now;
  });
  auto failed = failures_.find(name);
  if (failed == failures_.end()) return std::nullopt;
  if (!failed->second.told_at) failed->second.told_at = now;
  return Status(Fail(failed->second.error));
}

std::optional<Status> ViewMaker::Ask(Order order, Time now) {
  std::unique_lock hold(mutex_);
  const std::string name = order.name;
  if (std::optional<Status> failed = FailureOf(name, now)) return failed;
  if (Knows(name) || stopping_) return std::nullopt;
  waiting_.push_back(std::move(order));
  if (threads_.size() < kMostThreads) threads_.emplace_back([this] { Loop(); });
  changed_.notify_all();
  changed_.wait_for(hold, kMoment, [&] { return !Knows(name) || stopping_; });
  if (Knows(name) || stopping_) return std::nullopt;
  return FailureOf(name, now).value_or(Status());
}

std::list<ViewMaker::Order>::iterator ViewMaker::Next() {
  return std::ranges::find_if(waiting_,
                              [&](const Order& order) { return !making_.contains(order.project); });
}

void ViewMaker::Loop() {
  std::unique_lock hold(mutex_);
  while (true) {
    changed_.wait(hold, [&] { return stopping_ || Next() != waiting_.end(); });
    if (stopping_) return;
    const auto next = Next();
    const Order order = std::move(*next);
    waiting_.erase(next);
    making_[order.project] = order.name;
    hold.unlock();
    Status made = order.make(stopping_);
    hold.lock();
    making_.erase(order.project);
    // Those whose work was cancelled are never asked for.
    if (failures_.size() >= kMostFailures) failures_.clear();
    if (!made) failures_[order.name] = {made.error()};
    changed_.notify_all();
  }
}

}  // namespace yard::control
