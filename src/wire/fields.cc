#include "wire/fields.h"

#include <charconv>
#include <cmath>

#include "base/quantity_suffix.h"

namespace yard::wire {
namespace {

std::optional<double> ParseAmount(std::string_view text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  std::optional<double> factor =
      SuffixFactor(text.substr(static_cast<std::size_t>(end - text.data())));
  // "nan" and "inf" are read as numbers, and are no amounts.
  const bool finite = factor && std::isfinite(number * *factor);
  return finite ? std::optional(number * *factor) : std::nullopt;
}

}  // namespace

const json::value* ValueIn(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const json::object* ObjectIn(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

const json::array* ListIn(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_array();
}

std::optional<bool> FlagIn(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_bool()) return std::nullopt;
  return value->get_bool();
}

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
  const json::value* value = object.if_contains(name);
  if (value != nullptr && value->is_int64()) return value->get_int64();
  std::optional<double> number = NumberOf(object, name);
  if (!number || !(std::abs(*number) < 0x1p63)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
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

std::vector<std::string> TextsOf(const json::object& object, std::string_view name) {
  std::vector<std::string> texts;
  for (const json::value& item : ListOrEmpty(object, name)) {
    if (item.is_string()) texts.emplace_back(std::string_view(item.get_string()));
  }
  return texts;
}

std::optional<double> Amount(const json::value& value) {
  if (const json::string* text = value.if_string()) return ParseAmount(*text);
  json::error_code error;
  double number = value.to_number<double>(error);
  return error ? std::nullopt : std::optional(number);
}

}  // namespace yard::wire
