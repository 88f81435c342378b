#include "serve/one_time_replies.h"

#include <utility>

namespace yard::serve {

void OneTimeReplies::Forget(Time now) {
  while (!order_.empty() && (order_.front().first <= now || order_.size() > kMost)) {
    const auto& [until, key] = order_.front();
    auto at = replies_.find(key);
    if (at != replies_.end() && at->second.until == until) replies_.erase(at);
    order_.pop_front();
  }
}

void OneTimeReplies::Keep(const std::string& key, Kept reply, Time now) {
  std::lock_guard lock(mutex_);
  Time until = now + kKept;
  replies_.insert_or_assign(key, Entry{std::move(reply), until});
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
