#include "serve/auth/client_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::serve {
namespace {

using Bytes = std::array<std::uint8_t, 16>;

constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr int kMappedBits = 96;
constexpr int kSite = 8;  // bytes of a /64

// "1.2.3.4", "1.2.3.4:5", "::1", "[::1]", "[::1]:5". An IPv4 address is mapped into IPv6.
std::optional<Bytes> ParseAddress(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('[')) {
    text = text.substr(1, text.find(']') - 1);
  } else if (std::ranges::count(text, ':') == 1) {
    text = text.substr(0, text.find(':'));
  }
  std::string plain(text);
  Bytes bytes{};
  if (inet_pton(AF_INET6, plain.c_str(), bytes.data()) == 1) return bytes;
  std::ranges::copy(kMapped, bytes.begin());
  if (inet_pton(AF_INET, plain.c_str(), bytes.data() + kMapped.size()) == 1) return bytes;
  return std::nullopt;
}

bool IsMapped(const Bytes& bytes) {
  return std::equal(kMapped.begin(), kMapped.end(), bytes.begin());
}

bool SameBits(const Bytes& a, const Bytes& b, int bits) {
  int whole = bits / 8;
  if (!std::equal(a.begin(), a.begin() + whole, b.begin())) return false;
  int rest = bits % 8;
  if (rest == 0) return true;
  auto at = static_cast<std::size_t>(whole);
  return (a.at(at) >> (8 - rest)) == (b.at(at) >> (8 - rest));
}

std::string Format(const Bytes& bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  bool mapped = IsMapped(bytes);
  const std::uint8_t* from = bytes.data() + (mapped ? kMapped.size() : 0);
  inet_ntop(mapped ? AF_INET : AF_INET6, from, text.data(), text.size());
  return text.data();
}

}  // namespace

Result<TrustedProxies> TrustedProxies::Parse(std::string_view text) {
  TrustedProxies proxies;
  for (std::string_view part : Split(text, ',')) {
    part = Trim(part);
    if (part.empty()) continue;
    std::size_t slash = part.find('/');
    std::optional<Bytes> address = ParseAddress(part.substr(0, slash));
    bool v4 = address && IsMapped(*address);
    std::optional<std::int64_t> bits = v4 ? 32 : 128;
    if (slash != std::string_view::npos) bits = ParseInt(part.substr(slash + 1));
    if (!address || !bits || *bits < 0 || *bits > (v4 ? 32 : 128)) {
      return Fail(Code::kInvalid, fmt::format("trusted-proxies: '{}' is no address", part),
                  "for example 10.0.0.5, 192.168.0.0/16 or fd00::/8");
    }
    proxies.networks_.push_back({*address, static_cast<int>(*bits) + (v4 ? kMappedBits : 0)});
  }
  return proxies;
}

bool TrustedProxies::Trusts(std::string_view address) const {
  std::optional<Bytes> bytes = ParseAddress(address);
  return bytes && std::ranges::any_of(networks_, [&](const Network& network) {
           return SameBits(network.address, *bytes, network.bits);
         });
}

std::string TrustedProxies::ClientOf(const http::Request& request) const {
  if (networks_.empty() || !Trusts(request.peer_address)) return request.peer_address;
  std::string client = request.peer_address;
  // A proxy adds its line or its part at the end: the last ones are the nearest.
  std::string forwarded;
  for (const http::Header& header : request.headers) {
    if (!EqualsIgnoreCase(header.first, "x-forwarded-for")) continue;
    forwarded += (forwarded.empty() ? "" : ",") + header.second;
  }
  std::vector<std::string_view> hops = Split(forwarded, ',');
  for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
    std::optional<Bytes> bytes = ParseAddress(*hop);
    if (!bytes) break;
    client = Format(*bytes);
    if (!Trusts(client)) break;
  }
  return client;
}

std::string NetworkOf(std::string_view address) {
  std::optional<Bytes> bytes = ParseAddress(address);
  if (!bytes) return std::string(address);
  if (IsMapped(*bytes)) return Format(*bytes);
  std::fill(bytes->begin() + kSite, bytes->end(), std::uint8_t{0});
  return Format(*bytes) + "/64";
}

}  // namespace yard::serve
