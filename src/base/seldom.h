// A part of a record that few records have: T's default until somebody edits it. Without a value of
// its own it costs one pointer. A copy has a value of its own. One thread, as the record it is in.
#pragma once

#include <memory>

namespace yard {

template <class T>
class Seldom {
 public:
  Seldom() = default;
  Seldom(const Seldom& other) : value_(Copied(other)) {}
  Seldom(Seldom&&) noexcept = default;
  Seldom& operator=(const Seldom& other) {
    if (this != &other) value_ = Copied(other);
    return *this;
  }
  Seldom& operator=(Seldom&&) noexcept = default;
  ~Seldom() = default;

  const T& operator*() const { return value_ ? *value_ : kDefault; }
  const T* operator->() const { return &**this; }

  // To be changed; the value is the record's own from now on.
  T& Edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }
  // The default again.
  void Reset() { value_.reset(); }
  bool IsDefault() const { return value_ == nullptr; }

 private:
  static std::unique_ptr<T> Copied(const Seldom& other) {
    return other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
  }
  static inline const T kDefault{};
  std::unique_ptr<T> value_;
};

}  // namespace yard
