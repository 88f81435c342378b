// Writes JSON text straight into a string, field by field.
//
// Writer knows every leaf type of the model; a struct becomes an object through its
// `Visit(visitor, object)` function, found by argument-dependent lookup in yard::wire.
// One thread.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json.h"
#include "base/quantity.h"
#include "base/time.h"
#include "base/uuid.h"
#include "model/common.h"
#include "model/object.h"
#include "wire/enums.h"

namespace yard::wire {

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void Begin() {
    out_ += '{';
    first_ = true;
  }
  void End() {
    out_ += '}';
    first_ = false;
  }
  void BeginList() {
    out_ += '[';
    first_ = true;
  }
  void EndList() {
    out_ += ']';
    first_ = false;
  }
  // Starts the next item of a list.
  void Item() { Comma(); }
  // Most of an answer is keys: the text grows once for each.
  void Key(std::string_view name) {
    const std::size_t at = out_.size();
    out_.resize_and_overwrite(at + name.size() + 4, [&](char* text, std::size_t) {
      char* end = text + at;
      if (!first_) *end++ = ',';
      *end++ = '"';
      end += name.copy(end, name.size());
      *end++ = '"';
      *end++ = ':';
      return static_cast<std::size_t>(end - text);
    });
    first_ = false;
  }
  void Null() { out_ += "null"; }
  // Text that is already JSON.
  void Raw(std::string_view json) { out_ += json; }

  // One field. An empty optional is left out.
  template <class T>
  void operator()(std::string_view name, const T& field) {
    Key(name);
    Value(field);
  }
  template <class T>
  void operator()(std::string_view name, const std::optional<T>& field) {
    if (field) (*this)(name, *field);
  }
  // One field that is null when absent.
  template <class T>
  void OrNull(std::string_view name, const std::optional<T>& field) {
    Key(name);
    if (field) {
      Value(*field);
    } else {
      Null();
    }
  }

  void Value(std::string_view text) { AppendJsonString(out_, text); }
  void Value(const std::string& text) { AppendJsonString(out_, text); }
  void Value(const char* text) { AppendJsonString(out_, text); }
  void Value(bool value) { out_ += value ? "true" : "false"; }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void Value(T value) {
    char digits[24];
    out_.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
  }
  void Value(double value);
  // Times and ids need no escapes.
  void Value(Time time) { Quoted(FormatRfc3339(time)); }
  void Value(const Uuid& uuid) { Quoted(FormatUuid(uuid)); }
  void Value(const Document& document) { out_ += document.json; }
  void Value(const Shared<WorkloadSpec>& spec);
  template <class Tag, class Rep>
  void Value(const StrongId<Tag, Rep>& id) {
    Value(id.value);
  }
  template <class Tag>
  void Value(Quantity<Tag> quantity) {
    Value(quantity.value);
  }
  template <class E>
    requires std::is_enum_v<E>
  void Value(E value) {
    AppendJsonString(out_, ToName(value));
  }
  template <class T>
  void Value(const std::vector<T>& list) {
    BeginList();
    for (const T& item : list) {
      Item();
      Value(item);
    }
    EndList();
  }
  template <class T>
  void Value(const std::map<std::string, T>& map) {
    Begin();
    for (const auto& [key, value] : map) {
      Comma();
      AppendJsonString(out_, key);
      out_ += ':';
      Value(value);
    }
    End();
  }
  template <class T>
    requires std::is_class_v<T>
  void Value(const T& object) {
    Begin();
    Visit(*this, object);
    End();
  }

 private:
  void Quoted(std::string_view text) {
    out_ += '"';
    out_ += text;
    out_ += '"';
  }
  void Comma() {
    if (!first_) out_ += ',';
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

}  // namespace yard::wire
