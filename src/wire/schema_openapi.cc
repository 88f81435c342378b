#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "wire/schema.h"

namespace yard::wire {
namespace {

using Kind = SchemaType::Kind;

json::value Number(double value) {
  auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? json::value(whole) : json::value(value);
}

void AddBounds(const SchemaType& type, json::object& out, std::string_view low,
               std::string_view high) {
  if (type.min) out[low] = Number(*type.min);
  if (type.max) out[high] = Number(*type.max);
}

json::object TextSchema(std::string_view format) {
  json::object out{{"type", "string"}};
  if (!format.empty()) out["format"] = format;
  return out;
}

json::object Describe(const SchemaType& type);

json::object DescribeBare(const SchemaType& type) {
  json::object out;
  switch (type.kind) {
    case Kind::kAny:
      return out;
    case Kind::kObject:
      return {{"type", "object"}};
    case Kind::kBool:
      return {{"type", "boolean"}};
    case Kind::kTime:
      return TextSchema("date-time");
    case Kind::kUuid:
      return TextSchema("uuid");
    case Kind::kEmail:
      return TextSchema("email");
    case Kind::kQuantity:
      return TextSchema("quantity");
    case Kind::kLabel:
      return TextSchema("label");
    case Kind::kString:
    case Kind::kText:
    case Kind::kVariable:
      out = TextSchema("");
      AddBounds(type, out, "minLength", "maxLength");
      return out;
    case Kind::kInt:
    case Kind::kNumber:
      out["type"] = type.kind == Kind::kInt ? "integer" : "number";
      AddBounds(type, out, "minimum", "maximum");
      return out;
    case Kind::kEnum:
      return {{"type", "string"}, {"enum", json::array(type.names.begin(), type.names.end())}};
    case Kind::kList:
      return {{"type", "array"}, {"items", Describe(*type.item)}};
    case Kind::kMap:
      return {{"type", "object"}, {"additionalProperties", Describe(*type.item)}};
    case Kind::kRef:
      return {{"$ref", "#/components/schemas/" + type.ref}};
  }
  return out;
}

json::object Describe(const SchemaType& type) {
  json::object out = DescribeBare(type);
  if (!type.nullable) return out;
  // OpenAPI 3.0 ignores siblings of $ref, so a nullable reference is wrapped.
  if (type.kind == Kind::kRef) out = {{"allOf", json::array{out}}};
  // And an enumeration holds what it lists, whatever stands beside it.
  if (type.kind == Kind::kEnum) out["enum"].as_array().emplace_back(nullptr);
  out["nullable"] = true;
  return out;
}

}  // namespace

json::object SchemaSet::OpenApiSchemas() const {
  json::object all;
  for (const auto& [name, schema] : schemas_) {
    json::object properties;
    json::array required;
    for (const SchemaField* field : schema.all) {
      properties[field->name] = Describe(field->type);
      if (field->required) required.emplace_back(field->name);
    }
    json::object out{{"type", "object"}, {"properties", properties}};
    if (!required.empty()) out["required"] = required;
    all[name] = out;
  }
  return all;
}

json::object SchemaSet::OpenApiType(std::string_view text) const {
  std::optional<SchemaType> type = ParseSchemaType(text);
  YARD_CHECK(type.has_value());
  return Describe(*type);
}

}  // namespace yard::wire
