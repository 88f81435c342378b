#include "shim/text.h"

#include <string>

#include <gtest/gtest.h>

namespace yard::shim {
namespace {

TEST(Line, IsCutSoThatItsNewlineFits) {
  Line line;
  line.AddPrintable(std::string(5000, 'x').c_str()).AddNewline();
  EXPECT_EQ(std::string(line.text()), std::string(4094, 'x') + "\n");
  Line shorter;
  shorter.AddPrintable("two\nlines").AddNewline();
  EXPECT_STREQ(shorter.text(), "two lines\n");
}

}  // namespace
}  // namespace yard::shim
