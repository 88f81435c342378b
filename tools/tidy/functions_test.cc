#include "tools/tidy/functions.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace yard::tools {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "name@line+length" of each function.
std::vector<std::string> Functions(std::string code) {
  std::vector<std::string> found;
  for (const Function& f : FindFunctions(ParseSource({"a.cc", std::move(code)}))) {
    found.push_back(f.name + "@" + std::to_string(f.line) + "+" + std::to_string(f.length));
  }
  return found;
}

TEST(FunctionLength, RunsFromTheSignatureToTheClosingBrace) {
  EXPECT_THAT(Functions("namespace a {\n\nint F(int x,\n      int y) {\n  return x;\n}\n\n}\n"),
              ElementsAre("F@3+4"));
}

TEST(FunctionLength, IsTakenForMembersInsideAndOutsideTheClass) {
  EXPECT_THAT(Functions("class A final : public B {\n public:\n  int G() const { return 1; }\n};\n"
                        "A::A(int x) : x_{x}, y_(2) {\n  Go();\n}\n"),
              ElementsAre("G@3+1", "A::A@5+3"));
}

TEST(FunctionLength, IncludesLambdasAndNestedBlocks) {
  EXPECT_THAT(Functions("void F() {\n  auto g = [](int x) {\n    if (x) { return; }\n  };\n}\n"),
              ElementsAre("F@1+5"));
}

TEST(FunctionLength, IgnoresBracesInStringsCommentsAndCharacters) {
  EXPECT_THAT(Functions("void F() {\n  // }\n  s = \"}\\\"}\";\n  c = '}';\n  /* } */\n"
                        "  r = R\"x(})\" })x\";\n  n = 1'000;\n}\nvoid G() {}\n"),
              ElementsAre("F@1+8", "G@9+1"));
}

TEST(FunctionLength, IgnoresMacrosAndTheirContinuations) {
  EXPECT_THAT(Functions("#define M(x) \\\n  do { \\\n  } while (x) {\nvoid F() {\n}\n"),
              ElementsAre("F@4+2"));
}

TEST(FunctionLength, IsNotTakenForTypesAndValues) {
  EXPECT_THAT(Functions("struct A { int x = 0; };\nenum class E { kA };\n"
                        "constexpr std::array kTable = {\n  Row{1}, Row{F(2)},\n};\n"
                        "std::function<void()> callback = {};\n"),
              IsEmpty());
}

TEST(FunctionLength, IsTakenForTemplatesOperatorsAndTests) {
  EXPECT_THAT(Functions("template <class T = int>\nT F(T x = T{}) {\n}\n"
                        "A& A::operator=(const A& a) {\n}\nTEST(X, Y) {\n\n}\n"),
              ElementsAre("F@1+3", "A::operator=@4+2", "TEST@6+3"));
}

}  // namespace
}  // namespace yard::tools
