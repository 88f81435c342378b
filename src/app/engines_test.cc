#include "app/engines.h"

#include <gtest/gtest.h>

namespace yard::app {
namespace {

TEST(Engines, StatedGpusAreReadAsCountModelAndMemory) {
  auto stated = ParseGpuStatement("8xA100:40Gi");
  ASSERT_TRUE(stated.has_value());
  EXPECT_EQ(stated->count, 8);
  EXPECT_EQ(stated->model, "A100");
  EXPECT_EQ(stated->memory, Mebibytes(40 * 1024));
}

TEST(Engines, AStatementOfGpusThatMakesNoSenseIsRefused) {
  for (const char* text :
       {"8", "xA100:40Gi", "0xA100:40Gi", "65xA100:40Gi", "8xA100", "8x:40Gi", "8xA100:much"}) {
    EXPECT_FALSE(ParseGpuStatement(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace yard::app
