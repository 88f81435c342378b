#include "serve/auth/basic.h"

#include <gtest/gtest.h>

namespace yard::serve {
namespace {

std::optional<std::string> BasicPassword(std::string_view header) {
  std::optional<NameAndSecret> sent = BasicCredentials(header);
  return sent ? std::optional(sent->secret) : std::nullopt;
}

TEST(Basic, ThePasswordIsWhatFollowsTheFirstColon) {
  EXPECT_EQ(BasicPassword("Basic YWRhOnNlY3JldA=="), "secret");
  EXPECT_EQ(BasicPassword("basic YWRhOmE6Yg=="), "a:b");
  EXPECT_EQ(BasicPassword("Basic OnRva2Vu"), "token");
}

TEST(Basic, TheNameIsWhatStandsBeforeTheFirstColon) {
  std::optional<NameAndSecret> sent = BasicCredentials("Basic YWRhOmE6Yg==");
  ASSERT_TRUE(sent);
  EXPECT_EQ(sent->name, "ada");
  EXPECT_EQ(sent->secret, "a:b");
  EXPECT_FALSE(SplitSecret("no colon"));
}

TEST(Basic, WhatIsMalformedOrOfAnotherKindHasNone) {
  for (std::string_view header :
       {"", "Basic", "Basic ", "Basic !!!", "Bearer YWRhOnNlY3JldA==", "Basic YWRh"}) {
    EXPECT_EQ(BasicPassword(header), std::nullopt) << header;
  }
}

}  // namespace
}  // namespace yard::serve
