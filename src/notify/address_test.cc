#include "notify/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstring>

#include <gtest/gtest.h>

namespace yard::notify {
namespace {

bool IsPublicText(const char* text) {
  sockaddr_storage storage{};
  sockaddr_in in{.sin_family = AF_INET};
  sockaddr_in6 in6{.sin6_family = AF_INET6};
  if (inet_pton(AF_INET, text, &in.sin_addr) == 1) {
    std::memcpy(&storage, &in, sizeof in);
  } else {
    EXPECT_EQ(inet_pton(AF_INET6, text, &in6.sin6_addr), 1) << text;
    std::memcpy(&storage, &in6, sizeof in6);
  }
  EXPECT_NE(TextOf(reinterpret_cast<const sockaddr&>(storage)), "");
  return IsPublic(reinterpret_cast<const sockaddr&>(storage));
}

TEST(Address, EverybodysAddressesArePublic) {
  for (const char* text : {"8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1",
                           "192.167.1.1", "2606:4700::1111", "2a00:1450:4001::1"}) {
    EXPECT_TRUE(IsPublicText(text)) << text;
  }
}

TEST(Address, LoopbackPrivateAndReservedOnesAreNot) {
  for (const char* text :
       {"127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255",
        "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255"}) {
    EXPECT_FALSE(IsPublicText(text)) << text;
  }
}

TEST(Address, NoFormOfIpv6HidesAPrivateOne) {
  for (const char* text :
       {"::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1"}) {
    EXPECT_FALSE(IsPublicText(text)) << text;
  }
  EXPECT_TRUE(IsPublicText("::ffff:8.8.8.8"));
}

TEST(Address, OtherFamiliesAreNobodys) {
  sockaddr unix{.sa_family = AF_UNIX};
  EXPECT_FALSE(IsPublic(unix));
}

}  // namespace
}  // namespace yard::notify
