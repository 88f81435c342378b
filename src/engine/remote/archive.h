// Values as bytes, between two processes of one build on one machine.
//
// A struct names its fields once, in a function Fields(archive, value) that serves both ways; see
// engine/remote/fields.h. The reader trusts nobody: lengths, ranges and enumerators are checked,
// and `whole` tells whether everything was there and nothing was left.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/strong.h"
#include "base/time.h"
#include "base/uuid.h"

namespace yard::engine::remote {

// The last enumerator; an enumeration without one cannot be sent.
template <class E>
inline constexpr E kLast = E::kHasNoLastEnumeratorYet;

class ValueWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (Put(values), ...);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  void Put(std::integral auto value) {
    AppendVarint(bytes_, ZigZag(static_cast<std::int64_t>(value)));
  }
  template <class E>
    requires std::is_enum_v<E>
  void Put(E value) {
    Put(static_cast<std::int64_t>(value));
  }
  void Put(const std::string& text) { AppendSized(bytes_, text); }
  void Put(const Uuid& uuid) {
    bytes_.append(reinterpret_cast<const char*>(uuid.bytes.data()), uuid.bytes.size());
  }
  void Put(Time time) { Put(time.micros); }
  template <class Tag>
  void Put(Quantity<Tag> amount) {
    Put(amount.value);
  }
  template <class Tag, class Rep>
  void Put(const StrongId<Tag, Rep>& id) {
    Put(id.value);
  }
  template <class T>
  void Put(const std::optional<T>& value) {
    Put(value.has_value());
    if (value) Put(*value);
  }
  template <class A, class B>
  void Put(const std::pair<A, B>& both) {
    Put(both.first);
    Put(both.second);
  }
  template <class T>
  void Put(const std::vector<T>& values) {
    AppendVarint(bytes_, values.size());
    for (const T& value : values) Put(value);
  }
  // The same function reads, so it takes what it could change.
  template <class T>
    requires std::is_class_v<T>
  void Put(const T& value) {
    Fields(*this, const_cast<T&>(value));
  }

  std::string bytes_;
};

class ValueReader {
 public:
  explicit ValueReader(std::string_view bytes) : bytes_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (Get(values), ...);
  }
  // Nothing was missing, wrong or left over.
  bool whole() const { return good_ && bytes_.empty(); }
  bool good() const { return good_; }

 private:
  template <class T>
    requires std::integral<T>
  void Get(T& value) {
    const std::optional<std::uint64_t> coded = bytes_.Varint();
    const std::int64_t number = UnZigZag(coded.value_or(0));
    // Only a text of its own kind holds numbers beyond 63 bits, and none here does.
    const bool fits = std::is_same_v<T, bool> ? number == 0 || number == 1 : InRange<T>(number);
    good_ = good_ && coded && fits;
    value = good_ ? static_cast<T>(number) : T{};
  }
  template <class T>
  static bool InRange(std::int64_t number) {
    if constexpr (std::is_same_v<T, bool>)
      return true;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
      return true;
    else
      return static_cast<std::int64_t>(static_cast<T>(number)) == number;
  }
  template <class E>
    requires std::is_enum_v<E>
  void Get(E& value) {
    std::int64_t number = 0;
    Get(number);
    good_ = good_ && number >= 0 && number <= static_cast<std::int64_t>(kLast<E>);
    value = good_ ? static_cast<E>(number) : E{};
  }
  void Get(std::string& text) {
    const std::optional<std::string_view> sized = bytes_.Sized();
    good_ = good_ && sized;
    text = good_ ? std::string(*sized) : std::string();
  }
  void Get(Uuid& uuid) {
    const std::optional<std::string_view> raw = bytes_.Take(uuid.bytes.size());
    good_ = good_ && raw;
    if (good_) std::memcpy(uuid.bytes.data(), raw->data(), raw->size());
  }
  void Get(Time& time) { Get(time.micros); }
  template <class Tag>
  void Get(Quantity<Tag>& amount) {
    Get(amount.value);
  }
  template <class Tag, class Rep>
  void Get(StrongId<Tag, Rep>& id) {
    Get(id.value);
  }
  template <class T>
  void Get(std::optional<T>& value) {
    bool there = false;
    Get(there);
    value.reset();
    if (there && good_) Get(value.emplace());
  }
  template <class A, class B>
  void Get(std::pair<A, B>& both) {
    Get(both.first);
    Get(both.second);
  }
  template <class T>
  void Get(std::vector<T>& values) {
    const std::optional<std::uint64_t> count = bytes_.Varint();
    // Each takes a byte at least, so a large number alone costs no memory.
    good_ = good_ && count && *count <= bytes_.left().size();
    values.clear();
    for (std::uint64_t i = 0; good_ && i < *count; ++i) Get(values.emplace_back());
  }
  template <class T>
    requires std::is_class_v<T>
  void Get(T& value) {
    Fields(*this, value);
  }

  ByteReader bytes_;
  bool good_ = true;
};

}  // namespace yard::engine::remote
