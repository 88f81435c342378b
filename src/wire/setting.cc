#include "wire/setting.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "wire/fields.h"

namespace yard::wire {
namespace {

constexpr std::string_view kValue = "value";

}  // namespace

Document SettingDocument(const json::value& value) {
  return Document{JsonText(json::object{{kValue, value}})};
}

json::value SettingValue(const Setting& setting) {
  Result<json::value> document = ParseJson(setting.value.json);
  const json::value* value =
      document && document->is_object() ? document->get_object().if_contains(kValue) : nullptr;
  return value == nullptr ? json::value() : *value;
}

std::optional<std::string> SettingText(const Setting& setting) {
  json::value value = SettingValue(setting);
  return value.is_null() ? std::nullopt : std::optional(PlainText(value));
}

std::string PlainText(const json::value& value) {
  if (value.is_bool()) return value.get_bool() ? "on" : "off";
  if (value.is_string()) return std::string(std::string_view(value.get_string()));
  if (value.is_int64()) return std::to_string(value.get_int64());
  if (value.is_double()) return fmt::format("{}", value.get_double());
  return "";
}

}  // namespace yard::wire
