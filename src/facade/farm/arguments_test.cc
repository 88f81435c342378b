#include "facade/farm/arguments.h"

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/strings.h"

namespace yard::facade::farm {
namespace {

json::object Parsed(std::string_view text) {
  return ParseJson(text)->as_object();
}

// The command line, its words in brackets, or what is wrong.
std::string Line(std::string_view definition, std::string_view args) {
  auto words = ArgumentsOf(Parsed(definition), Parsed(args));
  if (!words) return words.error().message;
  std::string line;
  for (const std::string& word : *words) line += "[" + word + "]";
  return line;
}

TEST(FarmArguments, AnArgumentStaysOneWordWhateverItHolds) {
  EXPECT_EQ(Line(R"({"args":["-c"],"allowed_args":{"args":{"arg":"","separator":""}}})",
                 R"({"args":"echo a; rm -rf \"$HOME\" 'x'"})"),
            R"([-c][echo a; rm -rf "$HOME" 'x'])");
}

TEST(FarmArguments, ANameIsJoinedToItsValueByTheSeparator) {
  constexpr std::string_view kAllowed =
      R"({"allowed_args":{"steps":{"arg":"--steps"},"file":{"arg":"-f","separator":" "}}})";
  EXPECT_EQ(Line(kAllowed, R"({"steps":5,"file":"a b"})"), "[--steps=5][-f][a b]");
}

TEST(FarmArguments, OneWithAPositionIsPushedInThere) {
  constexpr std::string_view kAllowed =
      R"({"allowed_args":{"in":{"arg":"0"},"out":{"arg":1},"mode":{"arg":"--mode"}}})";
  EXPECT_EQ(Line(kAllowed, R"({"mode":"x","out":"b","in":"a"})"), "[a][b][--mode=x]");
  EXPECT_EQ(Line(R"({"allowed_args":{"far":{"arg":99}}})", R"({"far":"end"})"), "[end]");
}

TEST(FarmArguments, ADefaultStandsInForWhatIsNotGiven) {
  constexpr std::string_view kAllowed =
      R"({"allowed_args":{"args":{"arg":"","separator":"","default":"hello"}}})";
  EXPECT_EQ(Line(kAllowed, "{}"), "[hello]");
  EXPECT_EQ(Line(kAllowed, R"({"args":null})"), "[hello]");
  EXPECT_EQ(Line(kAllowed, R"({"args":""})"), "[]");
}

TEST(FarmArguments, WhatTheDefinitionDoesNotAllowIsRefusedByName) {
  EXPECT_EQ(Line(R"({"allowed_args":{"a":{"arg":"-a"}}})", R"({"b":"x"})"),
            "task_args.b: the job definition allows no such argument");
  EXPECT_TRUE(Line(R"({"allowed_args":{"a":{"arg":""}}})", R"({"a":"x\u0000y"})").contains("NUL"));
}

TEST(FarmArguments, AMalformedAllowanceIsFoundWhenItIsSaved) {
  for (std::string_view wrong : {R"({"allowed_args":{"a":5}})", R"({"allowed_args":{"a":{}}})",
                                 R"({"allowed_args":{"a":{"arg":[]}}})",
                                 R"({"allowed_args":{"a":{"arg":"","separator":1}}})"}) {
    EXPECT_FALSE(CheckAllowedArguments(Parsed(wrong))) << wrong;
  }
}

}  // namespace
}  // namespace yard::facade::farm
