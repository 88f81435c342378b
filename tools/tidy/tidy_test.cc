#include "tools/tidy/tidy.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// "rule path:line" of each finding.
std::vector<std::string> Check(std::vector<SourceFile> files) {
  std::vector<std::string> found;
  for (const Finding& finding : CheckTree(files).findings) {
    found.push_back(finding.rule + " " + finding.path + ":" + std::to_string(finding.line));
  }
  return found;
}

std::vector<std::string> CheckOne(std::string path, std::string content) {
  return Check({{std::move(path), std::move(content)}});
}

std::string Header(const std::string& rest) {
  return "// What it is for.\n#pragma once\n" + rest;
}

TEST(Layers, RefuseAnIncludeFromBelow) {
  EXPECT_THAT(CheckOne("src/model/node.cc", "\n#include \"sched/plan.h\"\n"),
              ElementsAre("layer src/model/node.cc:2"));
  EXPECT_THAT(CheckOne("src/sched/plan.cc", "#include \"model/node.h\"\n"), IsEmpty());
}

TEST(Layers, KeepControlAwayFromHttpSqlAndConcreteEngines) {
  EXPECT_THAT(CheckOne("src/control/a.cc",
                       "#include \"wire/node.h\"\n#include \"http/http.h\"\n"
                       "#include \"engine/engine.h\"\n#include \"engine/local/launch.h\"\n"
                       "#include \"store/store.h\"\n#include \"store/sqlite/open.h\"\n"),
              ElementsAre("layer src/control/a.cc:2", "layer src/control/a.cc:4",
                          "layer src/control/a.cc:6"));
}

TEST(Layers, LetControlReadNoJsonOutsideOfPoliciesAndTokens) {
  const std::string includes = "#include <boost/json/value.hpp>\n#include \"base/json.h\"\n";
  EXPECT_THAT(CheckOne("src/control/launch/a.cc", includes),
              ElementsAre("layer src/control/launch/a.cc:1", "layer src/control/launch/a.cc:2"));
  EXPECT_THAT(CheckOne("src/control/policy/a.cc", includes), IsEmpty());
  EXPECT_THAT(CheckOne("src/control/auth/tokens.cc", includes), IsEmpty());
  EXPECT_THAT(CheckOne("src/control/launch/a_test.cc", includes), IsEmpty());
}

TEST(Layers, LetApiAskTheServiceButNotTheReactor) {
  EXPECT_THAT(
      CheckOne("src/api/a.cc",
               "#include \"control/service.h\"\n#include \"control/query.h\"\n"
               "#include \"control/runtime/reactor.h\"\n#include \"control/runtime/driver.h\"\n"
               "#include \"sched/plan.h\"\n"),
      ElementsAre("layer src/api/a.cc:3", "layer src/api/a.cc:4", "layer src/api/a.cc:5"));
}

TEST(Layers, RefuseARuleThatGuardsNoFile) {
  std::vector<SourceFile> files{
      {"tools/tidy/layers.cc", "#include \"tools/tidy/layers.h\"\n"},
      {"tools/tidy/layers.h", Header("")},
      {"src/control/runtime/reactor.h", Header("")},
  };
  std::string messages;
  for (const Finding& finding : CheckTree(files).findings) messages += finding.message + "\n";
  EXPECT_THAT(messages, HasSubstr("the rule for 'control/runtime/driver' guards no file"));
  EXPECT_THAT(messages, Not(HasSubstr("reactor")));
}

TEST(Layers, KeepEnginesApart) {
  EXPECT_THAT(CheckOne("src/engine/kube/a.cc",
                       "#include \"engine/kube/b.h\"\n#include \"engine/local/c.h\"\n"),
              ElementsAre("layer src/engine/kube/a.cc:2"));
}

TEST(Layers, LetATestUseEverythingBelowItsModule) {
  EXPECT_THAT(CheckOne("src/control/a_test.cc",
                       "#include \"store/sqlite/open.h\"\n#include \"api/routes.h\"\n"),
              ElementsAre("layer src/control/a_test.cc:2"));
}

TEST(Layers, RefuseAModuleThatTheTableDoesNotName) {
  EXPECT_THAT(CheckOne("src/misc/a.cc", "int a;\n"), ElementsAre("layer src/misc/a.cc:1"));
}

TEST(Layers, IgnoreAnIncludeInsideAComment) {
  EXPECT_THAT(CheckOne("src/base/a.cc", "/*\n#include \"sched/plan.h\"\n*/\n"), IsEmpty());
}

TEST(Sizes, AreTakenPerFunctionFileAndLine) {
  std::string body;
  for (int i = 0; i < 69; ++i) body += "  Step();\n";
  EXPECT_THAT(CheckOne("src/base/a.cc", "void F() {\n" + body + "}\n"),
              ElementsAre("function-size src/base/a.cc:1"));
  EXPECT_THAT(CheckOne("src/base/a.cc", std::string(451, '\n')),
              ElementsAre("file-size src/base/a.cc:451"));
  EXPECT_THAT(CheckOne("src/base/a.h", Header(std::string(249, '\n'))),
              ElementsAre("file-size src/base/a.h:251"));
  EXPECT_THAT(CheckOne("src/base/a.cc", std::string(101, ';') + "\n"),
              ElementsAre("line-size src/base/a.cc:1"));
}

TEST(Sizes, CountALetterWithAnAccentAsOneColumn) {
  std::string line = "// ";
  for (int i = 0; i < 97; ++i) line += "é";
  EXPECT_THAT(CheckOne("src/base/a.cc", line + "\n"), IsEmpty());
}

TEST(Sizes, CountLongFunctionsThatAreStillAllowed) {
  std::string body(45, '\n');
  std::vector<SourceFile> files = {{"src/base/a.cc", "void F() {" + body + "}\n"}};
  Report report = CheckTree(files);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.long_functions, 1);
}

TEST(BannedCalls, AreForBaseAndAppOnly) {
  std::string code = "auto t = std::chrono::system_clock::now();\nauto* p = std::getenv(\"A\");\n";
  EXPECT_THAT(CheckOne("src/control/a.cc", code),
              ElementsAre("banned src/control/a.cc:1", "banned src/control/a.cc:2"));
  EXPECT_THAT(CheckOne("src/base/a.cc", code), IsEmpty());
  EXPECT_THAT(CheckOne("src/control/a_test.cc", code), IsEmpty());
}

TEST(BannedCalls, LetTheTransportMeasureTimeouts) {
  EXPECT_THAT(CheckOne("src/http/a.cc", "auto t = std::chrono::steady_clock::now();\n"), IsEmpty());
}

TEST(BannedCalls, RefuseSleepsInTestsToo) {
  EXPECT_THAT(CheckOne("src/http/a_test.cc", "std::this_thread::sleep_for(1ms);\n"),
              ElementsAre("banned src/http/a_test.cc:1"));
}

TEST(BannedCalls, AreNotFoundInNamesMembersCommentsOrStrings) {
  EXPECT_THAT(CheckOne("src/control/a.cc",
                       "int Strand(int x);\nint y = operand(3);\nshell.system(1);\n"
                       "// getenv\nauto s = \"usleep(1)\";\nboost::system::error_code e;\n"),
              IsEmpty());
}

TEST(PureModules, HaveNoLocksClocksStreamsOrJson) {
  EXPECT_THAT(CheckOne("src/sched/a.cc",
                       "#include <mutex>\n#include <chrono>\n#include <boost/json/value.hpp>\n"
                       "#include \"base/log.h\"\n#include <vector>\n"),
              ElementsAre("pure src/sched/a.cc:1", "pure src/sched/a.cc:2", "pure src/sched/a.cc:3",
                          "pure src/sched/a.cc:4"));
}

TEST(Headers, MustBeExplainedAndGuarded) {
  EXPECT_THAT(CheckOne("src/base/a.h", "int x;\n"),
              ElementsAre("head-comment src/base/a.h:1", "pragma-once src/base/a.h:1"));
}

TEST(Headers, ThatNobodyIncludesAreDead) {
  EXPECT_THAT(Check({{"src/base/a.h", Header("")}, {"src/base/b.cc", "int x;\n"}}),
              ElementsAre("dead src/base/a.h:1"));
}

TEST(Headers, OutsideTheModulesMustBeTheFirstIncludeSomewhere) {
  std::vector<SourceFile> files = {
      {"sim/a.h", Header("")},
      {"sim/b.cc", "#include <vector>\n#include \"sim/a.h\"\n"},
  };
  EXPECT_THAT(Check(files), ElementsAre("self-contained sim/a.h:1"));
  files.push_back({"sim/c_test.cc", "#include \"sim/a.h\"\n"});
  EXPECT_THAT(Check(files), IsEmpty());
}

TEST(Headers, MustBeTheFirstIncludeOfTheirOwnSource) {
  EXPECT_THAT(Check({{"src/base/a.h", Header("")},
                     {"src/base/a.cc", "#include <vector>\n#include \"base/a.h\"\n"},
                     {"src/base/b.cc", "#include \"base/a.h\"\n"}}),
              ElementsAre("self-contained src/base/a.cc:1"));
}

TEST(Headers, OfAModuleWithoutSourcesAreAnAnnouncedInterface) {
  EXPECT_THAT(CheckOne("src/engine/engine.h", Header("")), IsEmpty());
}

TEST(Leftovers, AreFoundInAnyText) {
  std::string note = std::string("TO") + "DO";
  std::string home = std::string("/ro") + "ot/x";
  EXPECT_THAT(CheckOne("docs/a.md", "fine\n" + note + ": later\n" + home + "\n"),
              ElementsAre("note docs/a.md:2", "machine-path docs/a.md:3"));
  EXPECT_THAT(CheckOne("docs/a.md", "ins" + note + "s\n"), IsEmpty());
}

TEST(Names, AreSnakeCase) {
  EXPECT_THAT(CheckOne("src/base/MyFile.cc", ""), ElementsAre("name src/base/MyFile.cc:1"));
  EXPECT_THAT(CheckOne("src/base/my_file2.cc", ""), IsEmpty());
}

TEST(Findings, PrintAsFileLineRuleMessage) {
  EXPECT_EQ(Format({"src/a.cc", 7, "layer", "no"}), "src/a.cc:7: layer: no");
}

}  // namespace
}  // namespace yard::tools
