// Where a request comes from, also behind a reverse proxy.
//
// The header X-Forwarded-For is believed as far as trusted proxies wrote it: from the right, the
// first address that is none of theirs is the client's. Immutable; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/http.h"

namespace yard::serve {

class TrustedProxies {
 public:
  // "10.0.0.5, 192.168.0.0/16, fd00::/8": nobody if it is empty.
  static Result<TrustedProxies> Parse(std::string_view text);

  // As the transport names it ("10.1.2.3:4711"), or the forwarded one without a port.
  std::string ClientOf(const http::Request& request) const;

 private:
  struct Network {
    std::array<std::uint8_t, 16> address{};
    int bits = 128;
  };
  bool Trusts(std::string_view address) const;

  std::vector<Network> networks_;
};

// What guesses are counted by: an IPv4 address, or the /64 of an IPv6 address, since a single
// machine has all of it. Takes addresses with and without a port; other texts stay as they are.
std::string NetworkOf(std::string_view address);

}  // namespace yard::serve
