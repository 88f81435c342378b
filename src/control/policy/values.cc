#include "control/policy/values.h"

#include <cmath>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "base/strings.h"

namespace yard::control {
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
  return JsonText(value);
}

}  // namespace yard::control
