#include "facade/mlflow/fields.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"

namespace yard::facade::mlflow {
namespace {

// Microseconds must hold it.
constexpr std::int64_t kMostMilliseconds = std::numeric_limits<std::int64_t>::max() / 1000;

std::optional<double> NumberOf(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> IntOf(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_string()) return ParseInt(std::string_view(value.get_string()));
  const double* number = value.if_double();
  constexpr double kExact = 9007199254740992.0;  // 2^53
  bool whole = number != nullptr && std::floor(*number) == *number && std::abs(*number) <= kExact;
  return whole ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

}  // namespace

const json::value* Fields::Find(std::string_view name) const {
  const json::value* value = object_.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool Fields::Has(std::string_view name) const {
  return Find(name) != nullptr;
}

void Fields::Wrong(std::string_view name, std::string_view problem) {
  if (!error_) error_ = Error{Code::kInvalid, fmt::format("parameter '{}' {}", name, problem)};
}

std::optional<std::string> Fields::MaybeText(std::string_view name) {
  const json::value* value = Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return std::string(value->get_string());
  Wrong(name, "must be a text");
  return std::nullopt;
}

std::string Fields::Text(std::string_view name) {
  return MaybeText(name).value_or("");
}

std::string Fields::NeedText(std::string_view name) {
  std::string text = Text(name);
  if (text.empty()) Wrong(name, "is missing");
  return text;
}

std::int64_t Fields::Int(std::string_view name, std::int64_t otherwise) {
  const json::value* value = Find(name);
  if (value == nullptr) return otherwise;
  std::optional<std::int64_t> number = IntOf(*value);
  if (!number) Wrong(name, "must be a whole number below 2^63");
  return number.value_or(otherwise);
}

std::int64_t Fields::NeedInt(std::string_view name) {
  if (!Has(name)) Wrong(name, "is missing");
  return Int(name);
}

bool Fields::Flag(std::string_view name) {
  const json::value* value = Find(name);
  if (value == nullptr) return false;
  if (value->is_bool()) return value->get_bool();
  return value->is_string() && value->get_string() == "true";
}

double Fields::NeedNumber(std::string_view name) {
  const json::value* value = Find(name);
  if (value == nullptr) {
    Wrong(name, "is missing");
    return 0;
  }
  if (value->is_number()) return value->to_number<double>();
  std::optional<double> number;
  if (value->is_string()) number = NumberOf(std::string_view(value->get_string()));
  if (!number) Wrong(name, "must be a number, \"NaN\", \"Infinity\" or \"-Infinity\"");
  return number.value_or(0);
}

std::optional<Time> Fields::MaybeTime(std::string_view name) {
  if (!Has(name)) return std::nullopt;
  std::int64_t milliseconds = Int(name);
  if (milliseconds > kMostMilliseconds || milliseconds < -kMostMilliseconds) {
    Wrong(name, "must be a time in milliseconds");
    return std::nullopt;
  }
  return Time{milliseconds * 1000};
}

std::vector<std::string> Fields::Texts(std::string_view name) {
  const json::value* value = Find(name);
  std::vector<std::string> texts;
  if (value == nullptr) return texts;
  if (value->is_string()) return {std::string(value->get_string())};
  if (!value->is_array()) {
    Wrong(name, "must be a list of texts");
    return texts;
  }
  for (const json::value& item : value->get_array()) {
    if (item.is_string()) {
      texts.emplace_back(item.get_string());
    } else {
      Wrong(name, "must be a list of texts");
    }
  }
  return texts;
}

std::vector<const json::object*> Fields::Objects(std::string_view name) {
  const json::value* value = Find(name);
  std::vector<const json::object*> objects;
  if (value == nullptr) return objects;
  if (!value->is_array()) {
    Wrong(name, "must be a list");
    return objects;
  }
  for (const json::value& item : value->get_array()) {
    if (item.is_object()) {
      objects.push_back(&item.get_object());
    } else {
      Wrong(name, "must be a list of objects");
    }
  }
  return objects;
}

const json::object& Fields::Object(std::string_view name) {
  static const json::object kEmpty;
  const json::value* value = Find(name);
  if (value == nullptr) return kEmpty;
  if (value->is_object()) return value->get_object();
  Wrong(name, "must be an object");
  return kEmpty;
}

Tags Fields::KeyValues(std::string_view name) {
  Tags pairs;
  for (const json::object* object : Objects(name)) {
    Fields pair(*object);
    std::string key = pair.NeedText("key");
    pairs[std::move(key)] = pair.Text("value");
    if (Status read = pair.Check(); !read) Wrong(name, read.error().message);
  }
  return pairs;
}

}  // namespace yard::facade::mlflow
