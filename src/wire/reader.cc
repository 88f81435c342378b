#include "wire/reader.h"

#include <cmath>

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/strings.h"
#include "wire/spec.h"

namespace yard::wire {

const json::value* Reader::Find(std::string_view name) const {
  const json::value* value = object_.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string Reader::PathOf(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

bool Reader::Wrong(const std::string& path, std::string_view expected) {
  issues_.push_back({path, fmt::format("must be {}", expected)});
  return false;
}

bool Reader::Take(const json::value& value, const std::string& path, std::string& out) {
  const json::string* text = value.if_string();
  if (text == nullptr) return Wrong(path, "a string");
  out.assign(text->data(), text->size());
  return true;
}

bool Reader::Take(const json::value& value, const std::string& path, bool& out) {
  const bool* flag = value.if_bool();
  if (flag == nullptr) return Wrong(path, "true or false");
  out = *flag;
  return true;
}

bool Reader::Take(const json::value& value, const std::string& path, std::int64_t& out) {
  if (const std::int64_t* number = value.if_int64()) {
    out = *number;
    return true;
  }
  if (const double* number = value.if_double();
      number != nullptr && *number == std::floor(*number) && std::abs(*number) < 9e15) {
    out = static_cast<std::int64_t>(*number);
    return true;
  }
  return Wrong(path, "a whole number");
}

bool Reader::Take(const json::value& value, const std::string& path, double& out) {
  json::error_code error;
  out = value.to_number<double>(error);
  return !error || Wrong(path, "a number");
}

bool Reader::Take(const json::value& value, const std::string& path, Time& out) {
  const json::string* text = value.if_string();
  std::optional<Time> time;
  if (text != nullptr) time = ParseRfc3339({text->data(), text->size()});
  if (!time) return Wrong(path, "a time such as 2026-11-15T08:30:00Z");
  out = *time;
  return true;
}

bool Reader::Take(const json::value& value, const std::string& path, Uuid& out) {
  const json::string* text = value.if_string();
  std::optional<Uuid> uuid;
  if (text != nullptr) uuid = ParseUuid({text->data(), text->size()});
  if (!uuid) return Wrong(path, "a UUID");
  out = *uuid;
  return true;
}

bool Reader::Take(const json::value& value, const std::string& path, Document& out) {
  if (!value.is_object()) return Wrong(path, "an object");
  out.json = JsonText(value);
  return true;
}

bool Reader::Take(const json::value& value, const std::string& path, SpecRef& out) {
  if (!value.is_object()) return Wrong(path, "an object");
  out = value.get_object().empty() ? SpecRef() : ReadSpec(value.get_object(), JsonText(value));
  return true;
}

}  // namespace yard::wire
