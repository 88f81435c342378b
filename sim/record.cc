#include "sim/record.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"

namespace yard::sim {
namespace {

const json::object kNoFields;
const json::array kNoItems;
const json::value kNull;

}  // namespace

Record::Record(const json::value& value, std::string path, Status& status)
    : object_(value.is_object() ? &value.get_object() : &kNoFields),
      path_(std::move(path)),
      status_(status) {
  if (value.is_object() || !status_) return;
  const std::string name = path_.empty() ? "the document" : path_;
  status_ = Fail(Code::kInvalid, fmt::format("{}: is not a mapping", name));
}

const json::value* Record::Find(std::string_view name) const {
  const json::value* value = object_->if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const json::value* Record::Ask(std::string_view name) {
  asked_.emplace(name);
  return status_ ? Find(name) : nullptr;
}

std::string Record::PathOf(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

void Record::Wrong(std::string_view name, std::string_view problem) {
  if (!status_) return;
  const std::string path = PathOf(name);
  Error error{Code::kInvalid, fmt::format("{}: {}", path, problem)};
  error.fields.push_back({path, std::string(problem)});
  status_ = Fail(std::move(error));
}

std::string Record::Text(std::string_view name) {
  std::string text = Text(name, "");
  if (text.empty()) Wrong(name, "is missing or empty");
  return text;
}

std::string Record::Text(std::string_view name, std::string_view otherwise) {
  const json::value* value = Ask(name);
  if (value == nullptr) return std::string(otherwise);
  if (!value->is_string()) Wrong(name, "is not a text");
  return value->is_string() ? std::string(value->get_string()) : std::string(otherwise);
}

std::int64_t Record::Whole(std::string_view name, std::int64_t otherwise, std::int64_t most) {
  const json::value* value = Ask(name);
  if (value == nullptr) return otherwise;
  if (!value->is_int64()) {
    Wrong(name, "is not a whole number");
    return otherwise;
  }
  const std::int64_t number = value->get_int64();
  if (number < 0) Wrong(name, fmt::format("{} is negative", number));
  if (number > most) Wrong(name, fmt::format("{} is more than {}", number, most));
  return number < 0 || number > most ? otherwise : number;
}

std::int64_t Record::Milli(std::string_view name, std::int64_t otherwise, std::int64_t most) {
  const json::value* value = Ask(name);
  if (value == nullptr) return otherwise;
  if (!value->is_number()) {
    Wrong(name, "is not a number");
    return otherwise;
  }
  const double milli = value->to_number<double>() * 1000;
  const double whole = std::round(milli);
  if (milli < 0) Wrong(name, "is negative");
  if (std::abs(milli - whole) > 1e-6) Wrong(name, "has more than three decimals");
  if (whole > static_cast<double>(most)) Wrong(name, fmt::format("is more than {}", most / 1000));
  return status_ ? static_cast<std::int64_t>(whole) : otherwise;
}

bool Record::Flag(std::string_view name, bool otherwise) {
  const json::value* value = Ask(name);
  if (value == nullptr) return otherwise;
  if (!value->is_bool()) Wrong(name, "is neither true nor false");
  return value->is_bool() ? value->get_bool() : otherwise;
}

std::size_t Record::Choice(std::string_view name, std::span<const std::string_view> names,
                           std::size_t otherwise) {
  if (Ask(name) == nullptr) return otherwise;
  const std::string text = Text(name);
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  Wrong(name, fmt::format("\"{}\" is none of {}", text, fmt::join(names, ", ")));
  return otherwise;
}

const json::array& Record::List(std::string_view name) {
  const json::value* value = Ask(name);
  if (value == nullptr) return kNoItems;
  if (!value->is_array()) Wrong(name, "is not a list");
  return value->is_array() ? value->get_array() : kNoItems;
}

const json::value& Record::Raw(std::string_view name) {
  const json::value* value = Ask(name);
  return value == nullptr ? kNull : *value;
}

void Record::Close() {
  for (const auto& field : *object_) {
    if (asked_.contains(field.key())) continue;
    std::vector<std::string_view> known(asked_.begin(), asked_.end());
    const auto near = Nearest(field.key(), known);
    Wrong(field.key(), near ? fmt::format("is unknown; did you mean {}?", *near) : "is unknown");
    return;
  }
}

}  // namespace yard::sim
