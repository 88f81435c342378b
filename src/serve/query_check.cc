#include "serve/query_check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/check.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/uuid.h"
#include "wire/text_rule.h"

namespace yard::serve {
namespace {

using Kind = wire::SchemaType::Kind;

std::string Bounds(const wire::SchemaType& type) {
  std::string text = "a whole number";
  if (type.min && type.max) return fmt::format("{} from {} to {}", text, *type.min, *type.max);
  if (type.min) return fmt::format("{} of at least {}", text, *type.min);
  return type.max ? fmt::format("{} of at most {}", text, *type.max) : text;
}

std::optional<std::string> NumberProblem(const wire::SchemaType& type, std::string_view value) {
  std::optional<std::int64_t> number = ParseInt(value);
  auto amount = static_cast<double>(number.value_or(0));
  bool outside = (type.min && amount < *type.min) || (type.max && amount > *type.max);
  if (number && !outside) return std::nullopt;
  return Bounds(type);
}

// Puts the name as it is listed in place of one that differs in case only.
std::optional<std::string> NameProblem(std::span<const std::string> names, std::string& value) {
  auto same = [&](const std::string& name) { return EqualsIgnoreCase(name, value); };
  auto known = std::ranges::find_if(names, same);
  if (known == names.end()) return fmt::format("one of {}", fmt::join(names, ", "));
  value = *known;
  return std::nullopt;
}

// What the value should be, or nothing if it is.
std::optional<std::string> Problem(const wire::SchemaType& type, std::string& value) {
  static const std::vector<std::string> flags{"true", "false"};
  switch (type.kind) {
    case Kind::kInt:
      return NumberProblem(type, value);
    case Kind::kBool:
      return NameProblem(flags, value);
    case Kind::kEnum:
      return NameProblem(type.names, value);
    case Kind::kTime:
      if (!ParseRfc3339(value)) return "a time such as 2026-11-15T08:30:00Z";
      return std::nullopt;
    case Kind::kUuid:
      if (!ParseUuid(value)) return "a UUID";
      return std::nullopt;
    default:
      break;
  }
  bool clean = !wire::CharacterProblem(value, wire::TextShape::kLines);
  return clean ? std::nullopt : std::optional<std::string>("without control characters");
}

std::unexpected<Error> Refuse(std::string_view name, std::string_view expected) {
  Error error{Code::kInvalid, fmt::format("query parameter {} must be {}", name, expected),
              "correct the parameter, or leave it out if it is optional"};
  error.fields.push_back({std::string(name), fmt::format("must be {}", expected)});
  return Fail(std::move(error));
}

std::unexpected<Error> Missing(std::string_view name) {
  Error error{Code::kInvalid, fmt::format("query parameter {} is required", name),
              fmt::format("add {}=... to the query; /openapi.json says what it takes", name)};
  error.fields.push_back({std::string(name), "is required"});
  return Fail(std::move(error));
}

}  // namespace

QueryCheck::QueryCheck(const std::vector<Route>& routes) {
  for (const Route& route : routes) {
    for (const QueryParameter& parameter : route.query) {
      std::optional<wire::SchemaType> type = wire::ParseSchemaType(parameter.type);
      YARD_CHECK(type.has_value());
      parameters_[&route].push_back({parameter.name, *std::move(type), parameter.required});
    }
  }
}

Status QueryCheck::Check(const Route& route, QueryPairs& query) const {
  if (route.query.empty()) return {};
  const std::vector<Parameter>& known = parameters_.at(&route);
  for (auto& [name, value] : query) {
    auto parameter = std::ranges::find(known, name, &Parameter::name);
    // An empty value is none: clients send one for what is not set.
    if (parameter == known.end() || value.empty()) continue;
    if (auto expected = Problem(parameter->type, value)) return Refuse(name, *expected);
  }
  for (const Parameter& parameter : known) {
    auto given = [&](const auto& pair) {
      return pair.first == parameter.name && !pair.second.empty();
    };
    if (parameter.required && std::ranges::none_of(query, given)) return Missing(parameter.name);
  }
  return {};
}

}  // namespace yard::serve
