#include "base/mask.h"

#include <gtest/gtest.h>

namespace yard {
namespace {

TEST(MaskUrls, TakesCredentialsOutOfUrlsAndLeavesTheRest) {
  EXPECT_EQ(MaskUrls("https://ann:hunter2@host/a.git"), "https://***@host/a.git");
  EXPECT_EQ(MaskUrls("https://ghp_token@host"), "https://***@host");
  EXPECT_EQ(MaskUrls("https://ann:p@ss@host/x"), "https://***@host/x");
  EXPECT_EQ(MaskUrls(R"({"a":"ssh://u:p\"w@h/x","b":"ann@lab.org","c":"http://u:p@h"})"),
            R"({"a":"ssh://***@h/x","b":"ann@lab.org","c":"http://***@h"})");
}

TEST(MaskUrls, LeavesWhatHoldsNoCredentials) {
  for (const char* text :
       {"", "ann@lab.org", "https://host/pkg@v1.2", "https://host?mail=a@b", "git@host:a/b.git",
        "see https://host and write to ann@lab.org", "://@", "@://"}) {
    EXPECT_EQ(MaskUrls(text), text);
  }
}

TEST(MaskUrls, AMaskIsKnownAsOne) {
  EXPECT_TRUE(HoldsMask(MaskUrls("https://ann:hunter2@host/a.git")));
  EXPECT_FALSE(HoldsMask("https://host/***@x"));
}

}  // namespace
}  // namespace yard
