#include "control/notify/target.h"

#include <gtest/gtest.h>

namespace yard::control {
namespace {

std::string Shown(NotifyChannel channel, std::string_view url) {
  Result<UrlTarget> target = ReadUrlTarget(channel, url);
  return target ? target->shown : "refused: " + target.error().message;
}

TEST(NotifyTarget, OnlyHttpAndHttpsAreTaken) {
  using enum NotifyChannel;
  EXPECT_EQ(Shown(kWebhook, "https://ci.lab.org/hook"), "https://ci.lab.org/hook");
  EXPECT_EQ(Shown(kWebhook, "HTTP://ci.lab.org"), "HTTP://ci.lab.org");
  for (const char* url :
       {"file:///etc/passwd", "gopher://x/", "ftp://x/", "ci.lab.org/hook", "", "https://",
        "https:///path", "http://user@/x", "https://a b/", "https://a\\b/", "javascript://x"}) {
    EXPECT_FALSE(ReadUrlTarget(kWebhook, url).has_value()) << url;
  }
}

TEST(NotifyTarget, WhatIsSecretInItIsNotShown) {
  using enum NotifyChannel;
  EXPECT_EQ(Shown(kSlack, "https://hooks.slack.com/services/T0/B0/secret"),
            "https://hooks.slack.com/…");
  EXPECT_EQ(Shown(kWebhook, "https://ci.lab.org/hook?token=secret"), "https://ci.lab.org/hook?…");
  EXPECT_EQ(Shown(kWebhook, "https://ann:secret@ci.lab.org/hook"), "https://***@ci.lab.org/hook");
  Result<UrlTarget> kept = ReadUrlTarget(kWebhook, "https://ci.lab.org/hook?token=secret");
  EXPECT_EQ(kept->url, "https://ci.lab.org/hook?token=secret");
}

TEST(NotifyTarget, WhatWasShownIsNotTakenForTheTarget) {
  EXPECT_FALSE(ReadUrlTarget(NotifyChannel::kWebhook, "https://***@ci.lab.org/x").has_value());
}

}  // namespace
}  // namespace yard::control
