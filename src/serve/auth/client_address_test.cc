#include "serve/auth/client_address.h"

#include <gtest/gtest.h>

namespace yard::serve {
namespace {

std::string Client(std::string_view trusted, std::string peer, std::vector<std::string> forwarded) {
  http::Request request{.peer_address = std::move(peer)};
  for (std::string& value : forwarded) request.headers.emplace_back("x-forwarded-for", value);
  return TrustedProxies::Parse(trusted)->ClientOf(request);
}

TEST(ClientAddress, AStrangersHeaderIsNotBelieved) {
  EXPECT_EQ(Client("", "8.8.8.8:5", {"1.2.3.4"}), "8.8.8.8:5");
  EXPECT_EQ(Client("10.0.0.0/8", "8.8.8.8:5", {"1.2.3.4"}), "8.8.8.8:5");
}

TEST(ClientAddress, ATrustedProxyNamesItsClientAndTheClientCannotAddToIt) {
  EXPECT_EQ(Client("10.0.0.0/8", "10.1.2.3:5", {"1.2.3.4"}), "1.2.3.4");
  EXPECT_EQ(Client("10.0.0.0/8", "10.1.2.3:5", {"127.0.0.1, 1.2.3.4, 10.9.9.9"}), "1.2.3.4");
  EXPECT_EQ(Client("10.0.0.0/8", "10.1.2.3:5", {"127.0.0.1", "1.2.3.4"}), "1.2.3.4");
  EXPECT_EQ(Client("::1", "[::1]:5", {"2001:db8::7"}), "2001:db8::7");
  EXPECT_EQ(Client("10.0.0.1", "10.0.0.1:5", {"nonsense"}), "10.0.0.1:5");
  EXPECT_EQ(Client("127.0.0.1", "[::ffff:127.0.0.1]:5", {"1.2.3.4"}), "1.2.3.4");
}

TEST(ClientAddress, WhatIsNoAddressIsRefused) {
  for (const char* text : {"proxy.lab", "10.0.0.0/33", "10.0.0.0/x", "fd00::/129"}) {
    EXPECT_FALSE(TrustedProxies::Parse(text).has_value()) << text;
  }
}

TEST(ClientAddress, AnIpv6MachineHasItsWholeNetwork) {
  EXPECT_EQ(NetworkOf("[2001:db8:1:2:3::4]:443"), NetworkOf("2001:db8:1:2:ffff::9"));
  EXPECT_NE(NetworkOf("[2001:db8:1:2::4]:443"), NetworkOf("[2001:db8:1:3::4]:443"));
  EXPECT_EQ(NetworkOf("1.2.3.4:50"), "1.2.3.4");
  EXPECT_EQ(NetworkOf("[::ffff:1.2.3.4]:50"), "1.2.3.4");
  EXPECT_EQ(NetworkOf("unix"), "unix");
}

}  // namespace
}  // namespace yard::serve
