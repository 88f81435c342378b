#include "shim/http.h"

#include <gtest/gtest.h>

namespace yard::shim {
namespace {

constexpr char kInspect[] =
    R"({"Id":"x","Args":["\"Pid\":5"],"State":{"Status":"running","Pid": 42,"OOMKilled":true}})";

TEST(DaemonAnswer, GivesItsFields) {
  EXPECT_EQ(FindNumber(kInspect, "Pid"), 42) << "a name inside a text is none";
  EXPECT_EQ(FindNumber(kInspect, "ExitCode"), -1);
  EXPECT_TRUE(FindTrue(kInspect, "OOMKilled"));
  EXPECT_FALSE(FindTrue(kInspect, "Paused"));
  char state[32];
  FindText(kInspect, "Status", state, sizeof(state));
  EXPECT_STREQ(state, "running");
}

// A daemon without layers of its own says no folder, and the image's maker says another one.
TEST(DaemonAnswer, GivesTheTextOfAnObjectAndOfNoLabel) {
  char folder[32];
  const TextPlace upper{"GraphDriver", "UpperDir"};
  FindTextIn(R"({"Args":["{"],"GraphDriver":{"Name":"a\"}","Data":{"UpperDir":"/layer"}},"x":1})",
             upper, folder, sizeof(folder));
  EXPECT_STREQ(folder, "/layer");
  for (const char* none :
       {R"({"GraphDriver":{"Name":"vfs","Data":{}},"Config":{"Labels":{"UpperDir":"/root"}}})",
        R"({"GraphDriver":null,"Config":{"Labels":{"GraphDriver":"{","UpperDir":"/root"}}})",
        R"({"Config":{"Labels":{"GraphDriver":"{\"UpperDir\":\"/root\"}","UpperDir":"/root"}}})"}) {
    FindTextIn(none, upper, folder, sizeof(folder));
    EXPECT_STREQ(folder, "") << none;
  }
}

TEST(DaemonAnswer, IsCutWhereThereIsNoRoom) {
  char words[8];
  FindText(R"({"message":"exec: \"x\": not found"})", "message", words, sizeof(words));
  EXPECT_STREQ(words, "exec: \"");
  FindText(R"({"message":"never ended)", "message", words, sizeof(words));
  EXPECT_STREQ(words, "never e");
}

TEST(DaemonAnswer, IsReadAsItWasWritten) {
  char words[64];
  FindText(R"({"message":"a \u0026\u0026 b\u003cc\\d\nend \u00e4 \u12"})", "message", words,
           sizeof(words));
  EXPECT_STREQ(words, "a && b<c\\d end ? u12");
}

TEST(DaemonAnswer, IsNoneWhenNobodyListens) {
  EXPECT_EQ(Ask("/nowhere/daemon.sock", "GET", "/_ping").status, 0);
  Question question;
  EXPECT_FALSE(question.Send("/nowhere/daemon.sock", "POST", "/wait"));
  EXPECT_EQ(question.fd(), -1);
}

}  // namespace
}  // namespace yard::shim
