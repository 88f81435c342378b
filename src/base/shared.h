// A value that never changes and that copies share. Without a value of its own it is T's default,
// so an absent part costs two pointers. Any thread.
#pragma once

#include <memory>
#include <utility>

namespace yard {

template <class T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T value) : value_(std::make_shared<const T>(std::move(value))) {}

  const T& operator*() const {
    static const T none;
    return value_ ? *value_ : none;
  }
  const T* operator->() const { return &**this; }

  // The same value in memory: equal for certain. Others may be equal too.
  bool IsSame(const Shared& other) const { return value_ == other.value_; }

 private:
  std::shared_ptr<const T> value_;
};

}  // namespace yard
