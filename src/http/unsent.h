// What the connections of one network were answered and have not read yet.
//
// One connection holds little; ten thousand that do not read must not hold ten thousand times as
// much. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace yard::http {

class Unsent {
 public:
  explicit Unsent(std::size_t most) : most_(most) {}

  // Counts `bytes` more, to be given back. False: too many, and nothing is counted.
  bool Take(std::size_t bytes) {
    if (held_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= most_ || bytes == 0)
      return true;
    Give(bytes);
    return false;
  }
  void Give(std::size_t bytes) { held_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> held_ = 0;
};

// A part of it that grows and shrinks; given back at the end. One thread, or guarded. What is small
// counts for nothing, so that those who read are served however much others hold.
class UnsentPart {
 public:
  explicit UnsentPart(std::shared_ptr<Unsent> of) : of_(std::move(of)) {}
  ~UnsentPart() { Set(0); }
  UnsentPart(const UnsentPart&) = delete;
  UnsentPart& operator=(const UnsentPart&) = delete;

  // False: there is no room to grow; it stays as it was.
  bool Set(std::size_t bytes) {
    constexpr std::size_t kSmall = 64 * 1024;
    std::size_t counted = bytes > kSmall && of_ ? bytes - kSmall : 0;
    if (counted > counted_ && !of_->Take(counted - counted_)) return false;
    if (counted < counted_) of_->Give(counted_ - counted);
    counted_ = counted;
    return true;
  }

 private:
  const std::shared_ptr<Unsent> of_;  // null: nothing is counted
  std::size_t counted_ = 0;
};

}  // namespace yard::http
