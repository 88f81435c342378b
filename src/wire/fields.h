// Looking into parsed JSON without ceremony: a field that is absent, null or of another type is
// simply not there. For values that were validated when they came in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/json.h"

namespace yard::wire {

// A member of that type, or nullptr. null counts as none.
const json::value* ValueIn(const json::object& object, std::string_view key);
const json::object* ObjectIn(const json::object& object, std::string_view key);
const json::array* ListIn(const json::object& object, std::string_view key);
std::optional<bool> FlagIn(const json::object& object, std::string_view key);

// Empty if it is not there.
std::string_view TextOrEmpty(const json::object& object, std::string_view name);
std::optional<std::int64_t> WholeOf(const json::object& object, std::string_view name);
std::optional<double> NumberOf(const json::object& object, std::string_view name);
bool FlagOrFalse(const json::object& object, std::string_view name);
// An empty object or list if it is not there; valid as long as `object`.
const json::object& ObjectOrEmpty(const json::object& object, std::string_view name);
const json::array& ListOrEmpty(const json::object& object, std::string_view name);
// The texts of a list.
std::vector<std::string> TextsOf(const json::object& object, std::string_view name);

// Calls `take` for every object of a list.
template <class Take>
void EachObject(const json::object& object, std::string_view name, Take take) {
  for (const json::value& item : ListOrEmpty(object, name)) {
    if (const json::object* one = item.if_object()) take(*one);
  }
}

// A number, or a text such as "500m" or "1.5Gi" as a number. Nothing for anything else.
std::optional<double> Amount(const json::value& value);

}  // namespace yard::wire
