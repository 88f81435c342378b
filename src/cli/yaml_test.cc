#include "cli/yaml.h"

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace yard::cli {
namespace {

json::value Read(std::string_view yaml) {
  Result<std::vector<YamlDocument>> documents = ReadYaml(yaml);
  EXPECT_TRUE(documents.has_value()) << documents.error().message;
  return documents && !documents->empty() ? documents->front().value() : json::value();
}

std::string Refusal(std::string_view yaml) {
  Result<std::vector<YamlDocument>> documents = ReadYaml(yaml);
  return documents ? "accepted" : documents.error().message;
}

TEST(Yaml, QuotedNumbersStayTexts) {
  EXPECT_EQ(Read("{a: 1, b: \"1\", c: '1', d: !!str 1}"),
            json::parse(R"({"a":1,"b":"1","c":"1","d":"1"})"));
}

TEST(Yaml, PlainScalarsFollowTheCoreSchema) {
  EXPECT_EQ(Read("[true, False, null, ~, -3, 0x1f, 0o17, 0.5, .5, 1e3, +7]"),
            json::parse("[true,false,null,null,-3,31,15,0.5,0.5,1000.0,7]"));
}

TEST(Yaml, WordsThatLookLikeSwitchesStayTexts) {
  EXPECT_EQ(Read("[yes, no, on, off, 1.2.3, 2026-01-01, 1e, -, 10Gi]"),
            json::parse(R"(["yes","no","on","off","1.2.3","2026-01-01","1e","-","10Gi"])"));
}

TEST(Yaml, SeveralDocumentsKeepTheirOrderAndEmptyOnesAreLeftOut) {
  Result<std::vector<YamlDocument>> documents = ReadYaml("a: 1\n---\n---\nb: 2\n");
  ASSERT_TRUE(documents.has_value());
  ASSERT_EQ(documents->size(), 2U);
  EXPECT_EQ(documents->at(1).value(), json::parse(R"({"b":2})"));
}

TEST(Yaml, EveryValueKnowsItsLine) {
  Result<std::vector<YamlDocument>> documents =
      ReadYaml("kind: X\nspec:\n  list:\n    - a: 1\n    - b: 2\n");
  ASSERT_TRUE(documents.has_value());
  const YamlDocument& document = documents->front();
  EXPECT_EQ(document.LineOf("spec"), 2);
  EXPECT_EQ(document.LineOf("spec.list[1].b"), 5);
  EXPECT_EQ(document.LineOf("spec.list[1].c.d"), 5);
  EXPECT_EQ(document.LineOf("nothing"), 1);
}

TEST(Yaml, RefusalsNameTheLine) {
  EXPECT_EQ(Refusal("a: 1\na: 2\n"), "line 2: 'a' appears twice");
  EXPECT_EQ(Refusal("a: .nan\n"), "line 1: .nan is not a number that can be sent");
  EXPECT_EQ(Refusal("x: 1\n<<: {a: 1}\n"), "line 2: merge keys are not supported");
  EXPECT_TRUE(Refusal("a: [1,\nb").starts_with("line 2")) << Refusal("a: [1,\nb");
}

TEST(Yaml, ASeparatorWhereNothingIsSeparatedIsRefusedAndDoesNotGoOnForEver) {
  EXPECT_EQ(Refusal(","), "line 1, column 1: broken YAML: nothing can begin here");
  EXPECT_EQ(Refusal("{a: 1}\n, b\n"), "line 2, column 1: broken YAML: nothing can begin here");
  EXPECT_EQ(Refusal("a: 1\n---\n[b],\n"), "line 3, column 4: broken YAML: nothing can begin here");
  EXPECT_EQ(Refusal("a: 1\n,\n"), "line 2, column 1: broken YAML: end of map not found");
}

TEST(Yaml, ControlCharactersMustBeEscaped) {
  EXPECT_EQ(Refusal("a: 1\nb: \x04"), "line 2: a control character stands in the text");
  EXPECT_EQ(Read(R"("\x1b[0m")"), json::value("\x1b[0m"));
}

TEST(Yaml, MoreValuesThanAllowedAreRefusedBeforeTheyAreBuilt) {
  std::string list = "[";
  for (int i = 0; i < 200'001; ++i) list += "1,";
  EXPECT_TRUE(Refusal(list + "]").contains("too many values")) << Refusal(list + "]");
}

TEST(Yaml, EndlessNestingIsRefused) {
  EXPECT_TRUE(Refusal(std::string(70, '[') + std::string(70, ']')).contains("nested too deeply"));
  EXPECT_NE(Refusal("&a [*a]"), "accepted");
}

TEST(Yaml, AliasesCannotGrowWithoutBound) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 8; ++i) {
    std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 0; j < 9; ++j) bomb += ", " + before;
    bomb += "]\n";
  }
  EXPECT_TRUE(Refusal(bomb).contains("too many values")) << Refusal(bomb);
}

TEST(Yaml, AKeyOfAnyLengthIsReadBackTheSame) {
  const std::string key(700, '\\');  // twice as long when written
  json::value value = {{key, 1}, {"list", {{{key, {{"inside", "x"}}}, {"b", 2}}}}};
  auto again = ReadYaml(WriteYaml(value));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->front().value(), value);
}

TEST(Yaml, WhatIsWrittenIsReadBackTheSame) {
  json::value value = json::parse(
      R"({"a":[1,2.5,{"b":[],"c":{}},[["x"]]],"n":null,"t":"true","s":"1","l":"two\nlines",
          "q":"a: b # c","e":"","k with space":false,"u":"é","d":-0.25,"dash":"-"})");
  EXPECT_EQ(Read(WriteYaml(value)), value) << WriteYaml(value);
}

}  // namespace
}  // namespace yard::cli
