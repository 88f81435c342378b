#include "notify/signature.h"

#include <gtest/gtest.h>

namespace yard::notify {
namespace {

// Made with `printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac 'key'`.
TEST(Signature, IsTheUsualHmacOfTimeAndBody) {
  EXPECT_EQ(Sign("key", 1'700'000'000, R"({"a":1})"),
            "v1=a438e398bfafc57e4396bb7fc2304422f0f768e965d073ca313cb52e22e6ad03");
}

TEST(Signature, CoversKeyTimeAndBody) {
  std::string one = Sign("0123456789abcdef", 7, "body");
  EXPECT_NE(one, Sign("0123456789abcdeg", 7, "body"));
  EXPECT_NE(one, Sign("0123456789abcdef", 8, "body"));
  EXPECT_NE(one, Sign("0123456789abcdef", 7, "bodY"));
}

TEST(Signature, TakesKeysOfAnyLength) {
  EXPECT_EQ(Sign(std::string(300, 'k'), 1, "").size(), 3U + 64U);
}

}  // namespace
}  // namespace yard::notify
