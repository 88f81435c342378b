#include "control/json_fields.h"

#include <boost/json/value.hpp>

namespace yard::control {

std::string_view TextOrEmpty(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string_view{} : std::string_view(text->data(), text->size());
}

std::optional<double> NumberOf(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

std::optional<std::int64_t> WholeOf(const json::object& object, std::string_view name) {
  std::optional<double> number = NumberOf(object, name);
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

bool FlagOrFalse(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

const json::object& ObjectOrEmpty(const json::object& object, std::string_view name) {
  static const json::object kNone;
  const json::value* value = object.if_contains(name);
  return value == nullptr || !value->is_object() ? kNone : value->get_object();
}

const json::array& ListOrEmpty(const json::object& object, std::string_view name) {
  static const json::array kNone;
  const json::value* value = object.if_contains(name);
  return value == nullptr || !value->is_array() ? kNone : value->get_array();
}

}  // namespace yard::control
