#include "cli/top/model.h"

#include <gtest/gtest.h>

namespace yard::cli {
namespace {

TopState Three() {
  TopState state;
  for (const char* name : {"alpha", "beta", "gamma"}) {
    TopRow row;
    row.id = name;
    row.name = name;
    row.phase = "Running";
    state.view.rows.push_back(row);
  }
  state.rows = 10;
  state.columns = 60;
  return state;
}

TEST(Top, TheCursorMovesAndStaysInside) {
  TopState state = Three();
  TakeKey(state, "k");
  EXPECT_EQ(Chosen(state)->name, "alpha");
  TakeKey(state, "\x1b[B");
  TakeKey(state, "j");
  TakeKey(state, "j");
  EXPECT_EQ(Chosen(state)->name, "gamma");
}

TEST(Top, AFilterNarrowsAndEscapeEndsIt) {
  TopState state = Three();
  for (const char* key : {"/", "b", "e", "\r"}) TakeKey(state, key);
  ASSERT_EQ(Visible(state).size(), 1U);
  EXPECT_EQ(Chosen(state)->name, "beta");
  TakeKey(state, "\x1b");
  EXPECT_EQ(Visible(state).size(), 3U);
}

TEST(Top, CancellingAsksFirst) {
  TopState state = Three();
  EXPECT_EQ(TakeKey(state, "x"), TopOrder::kNone);
  EXPECT_EQ(TakeKey(state, "n"), TopOrder::kNone);
  TakeKey(state, "x");
  EXPECT_EQ(TakeKey(state, "y"), TopOrder::kCancel);
}

TEST(Top, QLeavesTheTextFirstAndThenTheProgram) {
  TopState state = Three();
  SetText(state, "logs", "a\nb\n");
  EXPECT_EQ(state.text.size(), 2U);
  EXPECT_EQ(TakeKey(state, "q"), TopOrder::kNone);
  EXPECT_EQ(TakeKey(state, "q"), TopOrder::kQuit);
}

TEST(Top, ALogGrowsOnTheScreenWhileItsEndIsShown) {
  TopState state = Three();  // six lines of text are on the screen
  SetText(state, "logs", "");
  AddText(state, "1\n2\n3");
  AddText(state, "3\n4\n5\n6\n7\n8");
  EXPECT_EQ(state.text, (std::vector<std::string>{"1", "2", "33", "4", "5", "6", "7", "8"}));
  EXPECT_EQ(RenderTop(state)[2], "33");
  EXPECT_EQ(RenderTop(state)[7], "8");
  TakeKey(state, "k");
  AddText(state, "\n9\n");
  EXPECT_EQ(RenderTop(state)[2], "2") << "it moved under the eyes of somebody who reads";
  TakeKey(state, "G");
  EXPECT_EQ(RenderTop(state)[7], "9");
  AddText(state, "10\n");
  EXPECT_EQ(RenderTop(state)[7], "10");
}

TEST(Top, OldLinesOfALogGo) {
  TopState state = Three();
  SetText(state, "logs", "");
  for (int i = 0; i < 6000; ++i) AddText(state, std::to_string(i) + "\n");
  EXPECT_EQ(state.text.size(), 5000U);
  EXPECT_EQ(RenderTop(state)[7], "5999");
}

TEST(Top, TheScreenHasExactlyItsLines) {
  TopState state = Three();
  for (std::size_t rows : {2U, 5U, 10U, 50U}) {
    state.rows = rows;
    EXPECT_EQ(RenderTop(state).size(), rows);
  }
  SetText(state, "logs", std::string(5000, 'x'));
  for (const std::string& line : RenderTop(state)) EXPECT_LE(line.size(), 60U + 8U);
}

TEST(Top, AgesTickWithoutNewsFromTheServer) {
  TopState state = Three();
  state.view.rows[0].since = Time{0};
  state.now = Time{0} + Seconds(5);
  EXPECT_NE(RenderTop(state)[2].find("5s"), std::string::npos);
  state.now = state.now + Seconds(1);
  EXPECT_NE(RenderTop(state)[2].find("6s"), std::string::npos);
}

TEST(Top, WhileAFilterIsTypedQIsALetterAndControlCQuits) {
  TopState state = Three();
  TakeKey(state, "/");
  EXPECT_EQ(TakeKey(state, "q"), TopOrder::kNone);
  EXPECT_EQ(state.filter, "q");
  EXPECT_EQ(TakeKey(state, "\x03"), TopOrder::kQuit);
}

TEST(Top, AFilterThatMatchesNothingSaysSo) {
  TopState state = Three();
  for (const char* key : {"/", "z", "\r"}) TakeKey(state, key);
  EXPECT_NE(RenderTop(state)[2].find("nothing matches"), std::string::npos);
  EXPECT_NE(RenderTop(state)[0].find("filter: z"), std::string::npos);
}

TEST(Top, AQuestionMarkExplainsTheKeys) {
  TopState state = Three();
  TakeKey(state, "?");
  EXPECT_EQ(state.pane, TopPane::kText);
  TakeKey(state, "?");
  EXPECT_EQ(state.pane, TopPane::kList);
}

TEST(TopKeys, ACharacterOfSeveralBytesIsOneKey) {
  std::string bytes = "\xc3\xa4";
  EXPECT_EQ(TakeKeys(bytes), (std::vector<std::string>{"\xc3\xa4"}));
}

TEST(TopKeys, ArrowsAreOneKeyAlsoInPieces) {
  std::string bytes = "j\x1b[";
  EXPECT_EQ(TakeKeys(bytes), (std::vector<std::string>{"j"}));
  bytes += "A";
  EXPECT_EQ(TakeKeys(bytes), (std::vector<std::string>{"\x1b[A"}));
  bytes = "\x1bOB";
  EXPECT_EQ(TakeKeys(bytes), (std::vector<std::string>{"\x1b[B"}));
}

}  // namespace
}  // namespace yard::cli
