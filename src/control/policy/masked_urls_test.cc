#include "control/policy/masked_urls.h"

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace yard::control {
namespace {

TEST(Unmask, WhatWasReadMaskedAndSentAgainKeepsItsCredentials) {
  json::value before = *ParseJson(
      R"({"storage":{"git":[{"name":"a","repository":"https://u:p@host/a"},
                            {"name":"b","repository":"https://v:q@host/b"}]}})");
  json::value sent = *ParseJson(
      R"({"storage":{"git":[{"name":"b","repository":"https://***@host/b"}]},"branch":"x"})");
  ASSERT_TRUE(Unmask(sent, &before, "spec"));
  EXPECT_EQ(json::serialize(sent),
            R"({"storage":{"git":[{"name":"b","repository":"https://v:q@host/b"}]},"branch":"x"})");
}

TEST(Unmask, AMaskWithNothingBehindItIsRefusedWithItsField) {
  json::value before = *ParseJson(R"({"repository":"https://u:p@host/a"})");
  json::value sent = *ParseJson(R"({"repository":"https://***@other/a"})");
  Status status = Unmask(sent, &before, "spec");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().fields.at(0).field, "spec.repository");
  EXPECT_FALSE(status.error().details.empty());
  EXPECT_FALSE(RefuseMasks(sent, "spec"));
  EXPECT_TRUE(RefuseMasks(before, "spec"));
}

}  // namespace
}  // namespace yard::control
