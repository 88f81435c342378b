#include "cli/table.h"

#include <gtest/gtest.h>

namespace yard::cli {
namespace {

const Table kTable{.header = {"NAME", "IMAGE"},
                   .rows = {{"a", "registry.example.org/very/long/image:1"}, {"büro", "b"}}};

TEST(Table, ColumnsLineUpByCharactersNotBytes) {
  EXPECT_EQ(
      RenderTable({.header = {"N", "X"}, .rows = {{"büro", "1"}, {"abcd", "2"}}}, 0, Colour::kNo),
      "N     X\nbüro  1\nabcd  2\n");
}

TEST(Table, TheWidestColumnGivesWayToTheTerminal) {
  EXPECT_EQ(RenderTable(kTable, 20, Colour::kNo), "NAME  IMAGE\na     registry.exam…\nbüro  b\n");
}

TEST(Table, NothingIsCutWithoutATerminal) {
  EXPECT_TRUE(
      RenderTable(kTable, 0, Colour::kNo).contains("registry.example.org/very/long/image:1"));
}

TEST(Table, ALineBreakInACellDoesNotBreakTheTable) {
  EXPECT_EQ(RenderTable({.header = {"N"}, .rows = {{"a\nb"}}}, 0, Colour::kNo), "N\na b\n");
}

TEST(Table, CsvQuotesWhatNeedsIt) {
  EXPECT_EQ(RenderCsv({.header = {"a", "b"}, .rows = {{"x,y", "say \"hi\""}}}),
            "a,b\n\"x,y\",\"say \"\"hi\"\"\"\n");
  EXPECT_EQ(RenderCsv({.header = {"a", "b"}, .rows = {{"-", "1"}}}), "a,b\n,1\n");
}

}  // namespace
}  // namespace yard::cli
