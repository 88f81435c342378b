#include "notify/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace yard::notify {
namespace {

struct Range4 {
  std::uint32_t first;
  int bits;
};

constexpr std::uint32_t Dots(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return a << 24 | b << 16 | c << 8 | d;
}

constexpr std::array kNotPublic4{
    Range4{Dots(0, 0, 0, 0), 8},       // this network
    Range4{Dots(10, 0, 0, 0), 8},      // private
    Range4{Dots(100, 64, 0, 0), 10},   // shared between a provider and its customers
    Range4{Dots(127, 0, 0, 0), 8},     // loopback
    Range4{Dots(169, 254, 0, 0), 16},  // link-local, and clouds' metadata
    Range4{Dots(172, 16, 0, 0), 12},   // private
    Range4{Dots(192, 0, 0, 0), 24},    // protocol assignments
    Range4{Dots(192, 168, 0, 0), 16},  // private
    Range4{Dots(198, 18, 0, 0), 15},   // benchmarks
    Range4{Dots(224, 0, 0, 0), 4},     // multicast
    Range4{Dots(240, 0, 0, 0), 4},     // reserved, broadcast
};

bool IsPublic4(std::uint32_t address) {
  return std::ranges::none_of(kNotPublic4, [&](const Range4& range) {
    return (address ^ range.first) >> (32 - range.bits) == 0;
  });
}

std::uint32_t Word(std::span<const std::uint8_t> bytes) {
  return Dots(bytes[0], bytes[1], bytes[2], bytes[3]);
}

using Bytes6 = std::array<std::uint8_t, 16>;

bool StartsWith(const Bytes6& address, std::span<const std::uint8_t> prefix) {
  return std::ranges::equal(prefix, std::span(address).first(prefix.size()));
}

bool IsPublic6(const Bytes6& address) {
  constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  constexpr std::array<std::uint8_t, 12> kTranslated{0, 0x64, 0xff, 0x9b};
  constexpr std::array<std::uint8_t, 2> kSixToFour{0x20, 0x02};
  std::span<const std::uint8_t> bytes(address);
  if (StartsWith(address, kMapped) || StartsWith(address, kTranslated)) {
    return IsPublic4(Word(bytes.last(4)));
  }
  if (StartsWith(address, kSixToFour)) return IsPublic4(Word(bytes.subspan(2, 4)));
  // Of what is left only 2000::/3 is given out to anybody.
  return (address[0] & 0xe0) == 0x20;
}

}  // namespace

bool IsPublic(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    return IsPublic4(ntohl(in.sin_addr.s_addr));
  }
  if (address.sa_family != AF_INET6) return false;
  sockaddr_in6 in6{};
  std::memcpy(&in6, &address, sizeof in6);
  Bytes6 bytes{};
  std::memcpy(bytes.data(), &in6.sin6_addr, bytes.size());
  return IsPublic6(bytes);
}

std::string TextOf(const sockaddr& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* at = nullptr;
  sockaddr_in in{};
  sockaddr_in6 in6{};
  if (address.sa_family == AF_INET) {
    std::memcpy(&in, &address, sizeof in);
    at = &in.sin_addr;
  } else if (address.sa_family == AF_INET6) {
    std::memcpy(&in6, &address, sizeof in6);
    at = &in6.sin6_addr;
  }
  if (at == nullptr) return {};
  return inet_ntop(address.sa_family, at, text.data(), text.size()) ? text.data() : "";
}

}  // namespace yard::notify
