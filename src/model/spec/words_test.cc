#include "model/spec/words.h"

#include <gtest/gtest.h>

namespace yard {
namespace {

TEST(Words, AreSplitAsAShellWould) {
  EXPECT_EQ(SplitWords(R"(sh -c 'a  b' "x \"y\"" \ z '')"),
            (Words{"sh", "-c", "a  b", "x \"y\"", " z", ""}));
  EXPECT_TRUE(SplitWords("  \n ")->empty());
  EXPECT_EQ(SplitWords("echo 'a").error().message, "a quote is not closed");
}

TEST(Words, SplitAgainIntoThemselvesWhenTheyAreJoined) {
  const Words words{"python", "train.py", "--name", "it's new", "", R"(a\b)"};
  EXPECT_EQ(JoinWords(words), R"(python train.py --name 'it'\''s new' '' 'a\b')");
  EXPECT_EQ(SplitWords(JoinWords(words)), words);
}

TEST(Words, KeepEmptyOnesAndTheirNumber) {
  EXPECT_EQ((Words{"", "a", ""}).List(), (std::vector<std::string>{"", "a", ""}));
  EXPECT_TRUE(Words().List().empty());
}

}  // namespace
}  // namespace yard
