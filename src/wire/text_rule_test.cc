#include "wire/text_rule.h"

#include <string>

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "wire/schema.h"

namespace yard::wire {
namespace {

TEST(TextRule, NamesAreOneLineWithoutControlCharacters) {
  for (std::string bad :
       {std::string("a\0b", 3), std::string("a\nb"), std::string("a\tb"), std::string("\x1b[31m"),
        std::string("a\x7f"), std::string("a\xc2\x85z")}) {
    EXPECT_TRUE(CharacterProblem(bad, TextShape::kLine)) << bad;
  }
  EXPECT_FALSE(CharacterProblem("Gr\xc3\xbc\xc3\x9f Gott / \xc2\xa0", TextShape::kLine));
}

TEST(TextRule, ProseMayHaveSeveralLinesButNoOtherControlCharacters) {
  EXPECT_FALSE(CharacterProblem("#!/bin/sh\r\n\techo", TextShape::kLines));
  EXPECT_TRUE(CharacterProblem("a\x01", TextShape::kLines));
}

TEST(TextRule, AVariableIsNotNamedWithAnEqualsSign) {
  EXPECT_TRUE(VariableProblem("A=B"));
  EXPECT_TRUE(VariableProblem(""));
  EXPECT_FALSE(VariableProblem("http_proxy"));
}

// What people send, field by field: each must be refused with its own name.
TEST(TextRule, HoldsForEveryFieldThatEndsInACommandAFileOrALog) {
  struct Case {
    const char* type;
    const char* body;
    const char* field;
  };
  for (const Case& one : {
           Case{"ClusterDraft", R"({"name":"a\u0000b"})", "name"},
           Case{"SettingChange", R"({"key":"a\nb","value":1})", "key"},
           Case{"SettingChange", R"({"key":"a","value":"x\u0000"})", "value"},
           Case{"SpecContainer", R"({"image":"a\nb"})", "image"},
           Case{"SpecContainer", R"({"command":["a\u0000b"]})", "command[0]"},
           Case{"SpecContainer", R"({"args":"a\u0000b"})", "args"},
           Case{"SpecContainer", R"({"environmentVariables":[{"name":"A\u0000","value":"1"}]})",
                "environmentVariables[0].name"},
           Case{"SpecContainer", R"({"environmentVariables":[{"name":"A","value":"\u0000"}]})",
                "environmentVariables[0].value"},
           Case{"SpecBase", R"({"labels":[{"name":"a\tb","value":"c"}]})", "labels[0].name"},
           Case{"SpecStorage", R"({"nfs":[{"mountPath":"/a\u0007"}]})", "nfs[0].mountPath"},
           Case{"NodeTypes", R"({"names":{"a\u0000":"b"}})", "names"},
       }) {
    Findings findings = SchemaSet::Api().Validate(one.type, *ParseJson(one.body));
    ASSERT_EQ(findings.issues.size(), 1U) << one.body;
    EXPECT_EQ(findings.issues[0].field, one.field);
  }
}

}  // namespace
}  // namespace yard::wire
