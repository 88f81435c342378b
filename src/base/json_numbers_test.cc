#include <gtest/gtest.h>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/json_text.h"

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

TEST(JsonNumbers, AreWrittenAsPeopleWriteThem) {
  auto written = [](std::string_view text) { return JsonText(*ParseJson(text)); };
  EXPECT_EQ(written(R"({"a":0.5,"b":[1.0,2,-3],"c":"\u00e4\"","d":null,"e":true})"),
            "{\"a\":0.5,\"b\":[1,2,-3],\"c\":\"\u00e4\\\"\",\"d\":null,\"e\":true}");
  EXPECT_EQ(written("[18446744073709551615,1e300,0.1,[],{}]"),
            "[18446744073709551615,1e+300,0.1,[],{}]");
  EXPECT_EQ(PrettyJson(*ParseJson("[0.25]")), "[\n  0.25\n]");
}

TEST(JsonNumbers, ThatAreTooLargeAreRefused) {
  EXPECT_FALSE(ParseJson("[1e999]"));
  EXPECT_TRUE(ParseJson("[1e-999]"));
}

}  // namespace
}  // namespace yard
