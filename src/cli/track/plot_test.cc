#include "cli/track/plot.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/strings.h"

namespace yard::cli {
namespace {

TEST(Plot, ARisingLineGoesFromTheLowerLeftToTheUpperRight) {
  std::string text =
      RenderPlot({{"x", {{0, 0}, {10, 5}}}}, {.columns = 31, .rows = 3}, Colour::kNo);
  std::vector<std::string_view> rows = Split(text, '\n');
  EXPECT_TRUE(rows[0].starts_with("        5 ┤       "));
  EXPECT_FALSE(rows[0].ends_with(' '));
  EXPECT_TRUE(rows[2].starts_with("        0 ┤⣀")) << text;
  EXPECT_TRUE(rows[3].ends_with("10"));
}

TEST(Plot, WhatIsNotFiniteIsLeftOut) {
  EXPECT_EQ(RenderPlot({{"x", {{0, NAN}, {1, INFINITY}}}}, {}, Colour::kNo), "");
  EXPECT_NE(RenderPlot({{"x", {{0, NAN}, {1, 2}}}}, {}, Colour::kNo), "");
}

TEST(Plot, SeveralLinesAreNamed) {
  std::string text = RenderPlot({{"a", {{0, 1}}}, {"b", {{0, 1}}}}, {}, Colour::kNo);
  EXPECT_NE(text.find("● a"), std::string::npos);
  EXPECT_NE(text.find("● b"), std::string::npos);
}

TEST(Plot, AVeryNarrowTerminalStillGetsAChart) {
  EXPECT_NE(RenderPlot({{"a", {{0, 1}, {1, 2}}}}, {.columns = 3, .rows = 2}, Colour::kNo), "");
}

}  // namespace
}  // namespace yard::cli
