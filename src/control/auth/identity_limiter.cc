#include "control/auth/identity_limiter.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::control {

namespace {

constexpr int kFreeForOne = 5;
constexpr int kFreeForMany = 30;

std::string Short(std::string_view name) {
  return Lower(name).substr(0, 256);
}

}  // namespace

SignInLimiter::Key SignInLimiter::Subject(std::string_view name) {
  return {"subject " + Short(name), kFreeForOne};
}

SignInLimiter::Key SignInLimiter::Network(std::string_view network) {
  return {"network " + std::string(network), kFreeForMany, true};
}

SignInLimiter::Key SignInLimiter::SubjectFrom(std::string_view name, std::string_view network) {
  return {fmt::format("subject {} from {}", Short(name), network), kFreeForOne};
}

SignInLimiter::Key SignInLimiter::ApplicationsFrom(std::string_view network) {
  return {"applications " + std::string(network), kFreeForMany, true};
}

SignInLimiter::Key SignInLimiter::PasswordChange(std::string_view name) {
  return {"change " + Short(name), kFreeForOne};
}

SignInLimiter::Key SignInLimiter::NotificationTest(std::string_view name) {
  return {"test " + Short(name), kFreeForOne};
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
    return Fail(Code::kTooMany, "too many attempts",
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
