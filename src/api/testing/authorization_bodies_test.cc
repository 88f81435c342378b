#include "api/testing/authorization_bodies.h"

#include <set>

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/check.h"
#include "base/json.h"
#include "base/strings.h"
#include "wire/schema.h"

namespace yard::api::testing {
namespace {

const json::object& Schemas() {
  static const json::object all = wire::SchemaSet::Api().OpenApiSchemas();
  return all;
}

std::string_view TextAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? std::string_view() : std::string_view(value->as_string());
}

class Sampler {
 public:
  explicit Sampler(const Fields& fields) : fields_(fields) {}

  json::value Of(std::string_view name, const json::object& schema) const {
    if (const json::value* parts = schema.if_contains("allOf")) {
      return Of(name, parts->at(0).as_object());
    }
    if (std::string_view ref = TextAt(schema, "$ref"); !ref.empty()) {
      return Members(Schemas().at(ref.substr(ref.rfind('/') + 1)).as_object());
    }
    std::string_view type = TextAt(schema, "type");
    if (auto given = fields_.find(name); given != fields_.end()) return Given(type, given->second);
    return Least(type, schema);
  }

 private:
  static json::value Given(std::string_view type, const std::string& text) {
    if (type == "string") return json::value(text);
    Result<json::value> value = ParseJson(text);
    YARD_CHECK(value.has_value());
    return *std::move(value);
  }
  static json::value Least(std::string_view type, const json::object& schema) {
    if (const json::value* names = schema.if_contains("enum")) return names->at(0);
    if (type == "integer" || type == "number") return 1;
    if (type == "boolean") return true;
    if (type == "array") return json::array{};
    if (type == "string") return "sample";
    return json::object{};
  }
  json::value Members(const json::object& schema) const {
    json::object out;
    const json::object& properties = schema.at("properties").as_object();
    std::set<std::string_view> required;
    if (const json::value* names = schema.if_contains("required")) {
      for (const json::value& name : names->as_array()) required.insert(name.as_string());
    }
    for (const auto& [key, property] : properties) {
      // Where there is a scope, its own id says the place.
      bool beside_scope = key == "clusterId" && properties.contains("scope");
      bool given = fields_.contains(std::string_view(key)) && !beside_scope;
      if (given || required.contains(key)) out[key] = Of(key, property.as_object());
    }
    return out;
  }

  const Fields& fields_;
};

}  // namespace

std::string SampleBody(std::string_view type, const Fields& fields) {
  if (type.empty()) return "";
  return json::serialize(Sampler(fields).Of("", wire::SchemaSet::Api().OpenApiType(type)));
}

namespace {

TEST(SampleBody, HoldsWhatIsRequiredAndWhatIsGiven) {
  EXPECT_EQ(SampleBody("ClusterDraft", {{"name", "one"}}), R"({"name":"one"})");
  EXPECT_EQ(SampleBody("PolicyPatch", {{"name", "p"}, {"scope", "project"}, {"projectId", "7"}}),
            R"({"meta":{"name":"p","scope":"project","projectId":7}})");
  EXPECT_EQ(SampleBody("[Resources]", {}), "[]");
  EXPECT_EQ(SampleBody("", {}), "");
}

}  // namespace
}  // namespace yard::api::testing
