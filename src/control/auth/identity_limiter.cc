#include "control/auth/identity_limiter.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {

SignInLimiter::Key SignInLimiter::Subject(std::string_view name) {
  return {"subject " + Lower(name).substr(0, 256), 5};
}

SignInLimiter::Key SignInLimiter::Address(std::string_view peer_address) {
  // Without the port, which is a new one for every connection.
  return {"address " + std::string(peer_address.substr(0, peer_address.rfind(':'))), 30, true};
}

SignInLimiter::Record& SignInLimiter::Touch(const std::string& name) {
  auto found = by_name_.find(name);
  if (found != by_name_.end()) {
    records_.splice(records_.begin(), records_, found->second);
    return records_.front();
  }
  if (records_.size() >= kMaxKeys) {
    by_name_.erase(records_.back().name);
    records_.pop_back();
  }
  records_.push_front({.name = name});
  by_name_[name] = records_.begin();
  return records_.front();
}

Status SignInLimiter::Begin(const std::vector<Key>& keys, Time now) {
  std::lock_guard lock(mutex_);
  for (const Key& key : keys) {
    auto found = by_name_.find(key.name);
    if (found == by_name_.end() || found->second->blocked_until <= now) continue;
    std::int64_t wait = (found->second->blocked_until - now).value / 1'000'000 + 1;
    return Fail(Code::kTooMany, "too many failed sign-ins",
                fmt::format("wait {} seconds and try again", wait));
  }
  for (const Key& key : keys) {
    Record& record = Touch(key.name);
    if (now - record.last > kForgetAfter) record.failures = 0;
    record.last = now;
    ++record.failures;
    if (record.failures < key.free_attempts) continue;
    int doublings = std::min(record.failures - key.free_attempts, 20);
    record.blocked_until = now + std::min(Seconds(1LL << doublings), kLongestWait);
  }
  return {};
}

void SignInLimiter::Succeed(const std::vector<Key>& keys) {
  std::lock_guard lock(mutex_);
  for (const Key& key : keys) {
    auto found = by_name_.find(key.name);
    if (found == by_name_.end()) continue;
    Record& record = *found->second;
    if (key.shared && --record.failures > 0) {
      if (record.failures < key.free_attempts) record.blocked_until = {};
      continue;
    }
    records_.erase(found->second);
    by_name_.erase(found);
  }
}

std::size_t SignInLimiter::size() const {
  std::lock_guard lock(mutex_);
  return records_.size();
}

}  // namespace yard::control
