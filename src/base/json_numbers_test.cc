#include <gtest/gtest.h>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"

namespace yard {
namespace {

TEST(JsonNumbers, AreReadToTheLastBit) {
  for (int i = 1; i < 20'000; ++i) {
    const double sent = i / 7.0;
    Result<json::value> read = ParseJson(fmt::format("[{}]", sent));
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(read->at(0).to_number<double>(), sent) << i;
  }
}

TEST(JsonNumbers, ThatAreTooLargeAreRefused) {
  EXPECT_FALSE(ParseJson("[1e999]"));
  EXPECT_TRUE(ParseJson("[1e-999]"));
}

}  // namespace
}  // namespace yard
