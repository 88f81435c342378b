// Reads a parsed JSON object into a struct, field by field, collecting what is wrong.
//
// The counterpart of Writer over the same `Visit` functions. A missing or null field leaves the
// member as it is. Problems are collected, not thrown, so that a client sees all of them at once.
// One thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/quantity.h"
#include "base/result.h"
#include "base/time.h"
#include "base/uuid.h"
#include "model/common.h"
#include "wire/enums.h"

namespace yard::wire {

class Reader {
 public:
  // `path` names the object in messages ("" for the body itself).
  Reader(const json::object& object, std::string path, std::vector<FieldIssue>& issues)
      : object_(object), path_(std::move(path)), issues_(issues) {}

  template <class T>
  void operator()(std::string_view name, T& field) {
    const json::value* value = Find(name);
    if (value != nullptr) Take(*value, PathOf(name), field);
  }
  template <class T>
  void operator()(std::string_view name, std::optional<T>& field) {
    const json::value* value = Find(name);
    if (value == nullptr) return;
    T inner{};
    if (Take(*value, PathOf(name), inner)) field = std::move(inner);
  }

 private:
  // The member, or nullptr if absent or null.
  const json::value* Find(std::string_view name) const;
  std::string PathOf(std::string_view name) const;
  bool Wrong(const std::string& path, std::string_view expected);

  bool Take(const json::value& value, const std::string& path, std::string& out);
  bool Take(const json::value& value, const std::string& path, bool& out);
  bool Take(const json::value& value, const std::string& path, std::int64_t& out);
  bool Take(const json::value& value, const std::string& path, double& out);
  bool Take(const json::value& value, const std::string& path, Time& out);
  bool Take(const json::value& value, const std::string& path, Uuid& out);
  bool Take(const json::value& value, const std::string& path, Document& out);
  bool Take(const json::value& value, const std::string& path, Shared<WorkloadSpec>& out);
  bool Take(const json::value& value, const std::string& path, int& out) {
    std::int64_t wide = 0;
    if (!Take(value, path, wide)) return false;
    out = static_cast<int>(wide);
    return true;
  }
  template <class Tag, class Rep>
  bool Take(const json::value& value, const std::string& path, StrongId<Tag, Rep>& out) {
    return Take(value, path, out.value);
  }
  template <class Tag>
  bool Take(const json::value& value, const std::string& path, Quantity<Tag>& out) {
    return Take(value, path, out.value);
  }
  template <class E>
    requires std::is_enum_v<E>
  bool Take(const json::value& value, const std::string& path, E& out) {
    std::string name;
    if (!Take(value, path, name)) return false;
    std::optional<E> found = FromName<E>(name);
    if (!found) return Wrong(path, "one of the listed names");
    out = *found;
    return true;
  }
  template <class T>
  bool Take(const json::value& value, const std::string& path, std::vector<T>& out) {
    const json::array* array = value.if_array();
    if (array == nullptr) return Wrong(path, "a list");
    out.clear();
    for (std::size_t i = 0; i < array->size(); ++i) {
      T item{};
      if (!Take((*array)[i], path + "[" + std::to_string(i) + "]", item)) return false;
      out.push_back(std::move(item));
    }
    return true;
  }
  template <class T>
  bool Take(const json::value& value, const std::string& path, std::map<std::string, T>& out) {
    const json::object* object = value.if_object();
    if (object == nullptr) return Wrong(path, "an object");
    for (const auto& [key, member] : *object) {
      T item{};
      std::string name(key.data(), key.size());
      if (!Take(member, std::string(path).append(".").append(name), item)) return false;
      out[name] = std::move(item);
    }
    return true;
  }
  template <class T>
    requires std::is_class_v<T>
  bool Take(const json::value& value, const std::string& path, T& out) {
    const json::object* object = value.if_object();
    if (object == nullptr) return Wrong(path, "an object");
    std::size_t before = issues_.size();
    Reader inner(*object, path, issues_);
    Visit(inner, out);
    return issues_.size() == before;
  }

  const json::object& object_;
  std::string path_;
  std::vector<FieldIssue>& issues_;
};

}  // namespace yard::wire
