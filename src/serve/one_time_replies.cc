#include "serve/one_time_replies.h"

#include <utility>

namespace yard::serve {

void OneTimeReplies::Drop(std::map<std::string, Entry, std::less<>>::iterator at) {
  bytes_ -= at->second.reply.body.size();
  replies_.erase(at);
}

void OneTimeReplies::Forget(Time now) {
  auto full = [this] { return order_.size() > kMost || bytes_ > kMostBytes; };
  while (!order_.empty() && (order_.front().first <= now || full())) {
    const auto& [until, key] = order_.front();
    auto at = replies_.find(key);
    if (at != replies_.end() && at->second.until == until) Drop(at);
    order_.pop_front();
  }
}

void OneTimeReplies::Keep(const std::string& key, Kept reply, Time now) {
  std::lock_guard lock(mutex_);
  Time until = now + kKept;
  if (auto known = replies_.find(key); known != replies_.end()) Drop(known);
  bytes_ += reply.body.size();
  replies_.emplace(key, Entry{std::move(reply), until});
  order_.emplace_back(until, key);
  Forget(now);
}

std::optional<OneTimeReplies::Kept> OneTimeReplies::Find(const std::string& key, Time now) {
  std::lock_guard lock(mutex_);
  Forget(now);
  auto at = replies_.find(key);
  if (at == replies_.end()) return std::nullopt;
  return at->second.reply;
}

}  // namespace yard::serve
