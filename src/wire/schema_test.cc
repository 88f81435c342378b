#include "wire/schema.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

namespace yard::wire {
namespace {

SchemaSet Make(std::string_view text) {
  std::vector<std::string_view> blocks{text};
  auto set = SchemaSet::Parse(blocks);
  EXPECT_TRUE(set.has_value()) << (set ? "" : set.error().message);
  return *std::move(set);
}

const SchemaSet& Pets() {
  static const SchemaSet set = Make(R"(
Animal
  name*   label
  age     int(0..30)?
Dog : Animal
  size    small|large
  bones   [Bone]
  tags    map<string>
Bone
  length* number(0..)
)");
  return set;
}

std::string Check(std::string_view type, std::string_view text) {
  Findings findings = Pets().Validate(type, *ParseJson(text));
  std::string out;
  for (const FieldIssue& issue : findings.issues) out += issue.field + " " + issue.problem + "; ";
  for (const std::string& unknown : findings.unknown) out += "unknown " + unknown + "; ";
  return out;
}

TEST(Schema, AcceptsWhatFits) {
  EXPECT_EQ(
      Check("Dog",
            R"({"name":"rex","age":3,"size":"small","bones":[{"length":1.5}],"tags":{"a":"b"}})"),
      "");
  EXPECT_EQ(Check("[Bone]", R"([{"length":0}])"), "");
}

TEST(Schema, NamesEveryFieldThatIsWrong) {
  EXPECT_EQ(Check("Dog", R"({"name":"Rex!","age":99,"size":"huge","bones":[{},{"length":-1}]})"),
            "name must be lower-case letters, digits and dashes, start with a letter, at most 63 "
            "characters; "
            "age must be between 0 and 30; size must be one of small, large; bones[0].length is "
            "required; "
            "bones[1].length must be at least 0; ");
}

// JSON has no such number, but a value that was made of a text may be one.
TEST(Schema, RefusesWhatIsNotANumberWhateverItsBounds) {
  for (double odd : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Findings findings = Pets().Validate("Bone", json::object{{"length", odd}});
    ASSERT_EQ(findings.issues.size(), 1U);
    EXPECT_EQ(findings.issues[0].problem, "must be a number");
  }
}

TEST(Schema, NullMeansNotSetButRequiredStaysRequired) {
  EXPECT_EQ(Check("Dog", R"({"name":"rex","age":null})"), "");
  EXPECT_EQ(Check("Dog", R"({"name":null})"), "name is required; ");
}

TEST(Schema, UnknownFieldsAreNamedWithTheNearestKnownOne) {
  EXPECT_EQ(Check("Dog", R"({"name":"rex","szie":"small"})"),
            "unknown szie (did you mean 'size'?); ");
}

TEST(Schema, RefusesBrokenNotation) {
  for (std::string_view text :
       {"A\n  b* Missing", "A\nA", "  orphan string", "A\n  b int(x..)", "A : Nowhere"}) {
    std::vector<std::string_view> blocks{text};
    EXPECT_FALSE(SchemaSet::Parse(blocks).has_value()) << text;
  }
}

TEST(Schema, TheApiSchemasAreConsistent) {
  EXPECT_TRUE(SchemaSet::Api().Has("Project"));
}

TEST(Schema, BecomesOpenApi) {
  json::object schemas = Pets().OpenApiSchemas();
  EXPECT_EQ(schemas["Bone"].at("properties").at("length").at("type"), "number");
  EXPECT_EQ(schemas["Dog"].at("required").at(0), "name");
  EXPECT_EQ(schemas["Animal"].at("properties").at("age").at("nullable"), true);
}

}  // namespace
}  // namespace yard::wire
