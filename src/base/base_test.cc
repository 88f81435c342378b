#include <vector>

#include <gtest/gtest.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "base/quantity.h"
#include "base/random.h"
#include "base/result.h"
#include "base/strings.h"
#include "base/time.h"
#include "base/trusted_json.h"
#include "base/utf8.h"
#include "base/uuid.h"

namespace yard {
namespace {

TEST(Quantity, ThirdsOfAGpuAddUpExactly) {
  EXPECT_EQ(*ParseMilli("0.1") + *ParseMilli("0.2"), *ParseMilli("0.3"));
}

TEST(Quantity, RefusesMoreThanThreeDecimals) {
  EXPECT_EQ(ParseMilli("0.0001"), std::nullopt);
  EXPECT_EQ(ParseMilli("nan"), std::nullopt);
  EXPECT_EQ(ParseMilli("1x"), std::nullopt);
}

TEST(Quantity, PrintsWithoutTrailingZeros) {
  EXPECT_EQ(FormatMilli(1500), "1.5");
  EXPECT_EQ(FormatMilli(2000), "2");
  EXPECT_EQ(FormatMilli(-250), "-0.25");
}

TEST(Quantity, ReadsKubernetesBytes) {
  EXPECT_EQ(ParseMebibytes("1Gi"), Mebibytes(1024));
  EXPECT_EQ(ParseMebibytes("20M"), Mebibytes(20));
  EXPECT_EQ(ParseMebibytes("1.5Gi"), Mebibytes(1536));
  EXPECT_EQ(ParseMebibytes("-1Gi"), std::nullopt);
  EXPECT_EQ(ParseMebibytes("1Qi"), std::nullopt);
}

TEST(Time, PrintsAndReadsBack) {
  Time time{1'794'726'600'123'456};
  EXPECT_EQ(ParseRfc3339(FormatRfc3339(time)), time);
  EXPECT_EQ(FormatRfc3339(Time{0}), "1970-01-01T00:00:00Z");
}

TEST(Time, ReadsOffsets) {
  EXPECT_EQ(ParseRfc3339("1970-01-01T02:00:00+02:00"), Time{0});
  EXPECT_EQ(ParseRfc3339("1970-01-01T00:00:00.5Z"), Time{500'000});
}

TEST(Time, RefusesImpossibleDates) {
  for (const char* text :
       {"", "2026-02-30T00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01", "2026-01-01T00:00:00"}) {
    EXPECT_EQ(ParseRfc3339(text), std::nullopt) << text;
  }
}

TEST(Uuid, LaterSortsLaterAndRoundTrips) {
  SeededRandom random(1);
  Uuid early = MakeUuid(Time{1'000'000}, random);
  Uuid late = MakeUuid(Time{2'000'000}, random);
  EXPECT_LT(early, late);
  EXPECT_EQ(ParseUuid(FormatUuid(early)), early);
  EXPECT_EQ(ParseUuid("not-a-uuid"), std::nullopt);
}

TEST(Json, BrokenTextNamesLineAndColumn) {
  auto parsed = ParseJson("{\n  \"a\": 1,\n  oops\n}");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_NE(parsed.error().message.find("line 3, column 3"), std::string::npos)
      << parsed.error().message;
}

TEST(Json, RefusesTextAfterTheValue) {
  EXPECT_FALSE(ParseJson("1 2").has_value());
  EXPECT_FALSE(ParseJson(R"({"a": [1, {"b": -1e999}]})").has_value()) << "would become infinite";
}

TEST(Json, RefusesAKeyThatStandsTwiceInOneObject) {
  auto parsed = ParseJson("{\"a\": {\"b\": 1},\n \"c\": [{\"d\": 1,\n  \"d\": 2}]}");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_EQ(parsed.error().code, Code::kInvalid);
  EXPECT_NE(parsed.error().message.find("line 3, column 5: the key 'd' stands twice"),
            std::string::npos)
      << parsed.error().message;
  EXPECT_FALSE(ParseJson(R"({"ab": 1, "a\u0062": 2})").has_value()) << "the same key, escaped";
  EXPECT_TRUE(ParseJson(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})").has_value());
}

TEST(Json, TakesAHundredThousandValuesOfText) {
  auto list_of = [](std::size_t items) {
    std::string text = "[";
    for (std::size_t i = 0; i < items; ++i) text += i == 0 ? "{}" : ",{}";
    return text + "]";
  };
  EXPECT_TRUE(ParseJson(list_of(99'999)).has_value());
  Result<json::value> refused = ParseJson(list_of(100'000));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kTooLarge);
  EXPECT_TRUE(ParseTrustedJson(list_of(100'000)).has_value());
}

TEST(Json, RefusesDeepNesting) {
  EXPECT_FALSE(ParseJson(std::string(1000, '[')).has_value());
}

TEST(Json, QuotesControlsAndMendsBrokenUtf8) {
  std::string out;
  AppendJsonString(out, "a\"\n\x01\xff\xc3\xa9");
  EXPECT_EQ(out, "\"a\\\"\\n\\u0001\xef\xbf\xbd\xc3\xa9\"");
  EXPECT_TRUE(ParseJson(out).has_value());
}

TEST(Utf8, TellsTextFromBytes) {
  EXPECT_TRUE(IsUtf8("Z\xc3\xbcrich"));
  for (const char* broken : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80"}) {
    EXPECT_FALSE(IsUtf8(broken));
  }
}

TEST(Strings, NearestFindsTypingErrorsOnly) {
  std::vector<std::string_view> words{"listen", "data-dir", "tls"};
  EXPECT_EQ(Nearest("lisen", words), "listen");
  EXPECT_EQ(Nearest("completely", words), std::nullopt);
}

TEST(Strings, ContainsLooksAtEveryPlaceAndAtNoCase) {
  for (const char* part : {"", "b17-42", "B17", "7-4", "2", "-"}) {
    EXPECT_TRUE(ContainsIgnoreCase("b17-42", part)) << part;
  }
  EXPECT_TRUE(ContainsIgnoreCase("aaab", "AAB"));
  for (const char* part : {"b17-421", "3", "[", "17_"}) {
    EXPECT_FALSE(ContainsIgnoreCase("b17-42", part)) << part;
  }
  EXPECT_FALSE(ContainsIgnoreCase("", "a"));
  EXPECT_FALSE(ContainsIgnoreCase("@[`{", "`{@"));
}

TEST(Random, SeedsRepeat) {
  SeededRandom a(7);
  SeededRandom b(7);
  EXPECT_EQ(a.Next(), b.Next());
  for (int i = 0; i < 100; ++i) EXPECT_LT(a.Below(3), 3U);
}

}  // namespace
}  // namespace yard
