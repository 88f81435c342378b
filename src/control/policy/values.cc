#include "control/policy/values.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/quantity_suffix.h"
#include "base/strings.h"

namespace yard::control {
namespace {

std::optional<double> ParseAmount(std::string_view text) {
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  std::optional<double> factor =
      SuffixFactor(text.substr(static_cast<std::size_t>(end - text.data())));
  return factor ? std::optional(number * *factor) : std::nullopt;
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

bool IsItemized(const json::object& node) {
  if (node.empty()) return false;
  for (const auto& [key, value] : node) {
    if (key != "attributes" && key != "instances") return false;
  }
  return true;
}

std::string_view ItemName(const json::value& item) {
  const json::object* object = item.if_object();
  if (object == nullptr) return "";
  for (std::string_view key : {"name", "resource", "id", "claimName", "mountPath", "path", "url"}) {
    const json::value* value = object->if_contains(key);
    if (value != nullptr && value->is_string()) return value->get_string();
  }
  return "";
}

const json::object* FindItem(const json::array& items, std::string_view name) {
  for (const json::value& item : items) {
    if (!name.empty() && item.is_object() && ItemName(item) == name) return &item.get_object();
  }
  return nullptr;
}

json::object* FindItem(json::array& items, std::string_view name) {
  for (json::value& item : items) {
    if (!name.empty() && item.is_object() && ItemName(item) == name) return &item.get_object();
  }
  return nullptr;
}

std::optional<double> Amount(const json::value& value) {
  if (const json::string* text = value.if_string()) return ParseAmount(*text);
  json::error_code error;
  double number = value.to_number<double>(error);
  return error ? std::nullopt : std::optional(number);
}

const json::value* ValueAt(const json::object& root, std::string_view path) {
  const json::object* node = &root;
  const json::value* found = nullptr;
  for (std::string_view part : Split(path, '.')) {
    found = node == nullptr ? nullptr : node->if_contains(part);
    if (found == nullptr) return nullptr;
    node = found->if_object();
  }
  return found;
}

std::optional<json::value> Derive(const json::object& root, const json::object& from) {
  const json::value* field = ValueIn(from, "field");
  if (field == nullptr || !field->is_string()) return std::nullopt;
  const json::value* base = ValueAt(root, field->get_string());
  std::optional<double> amount = base == nullptr ? std::nullopt : Amount(*base);
  if (!amount) return std::nullopt;
  const json::value* factor = ValueIn(from, "factor");
  double product = *amount * (factor == nullptr ? 1 : Amount(*factor).value_or(1));
  if (base->is_string()) return json::value(fmt::format("{}", std::llround(std::ceil(product))));
  bool whole = base->is_int64() && product == std::floor(product);
  return whole ? json::value(static_cast<std::int64_t>(product)) : json::value(product);
}

std::string Show(const json::value& value) {
  if (const json::string* text = value.if_string()) {
    return fmt::format("'{}'", std::string_view(*text));
  }
  return json::serialize(value);
}

}  // namespace yard::control
