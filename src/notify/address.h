// Which addresses are the world's, and which are somebody's own network.
//
// A target chosen by an ordinary user must not reach what only the server can reach: itself, its
// neighbours, a cloud's metadata service. The check is made on the address that is about to be
// connected to, so that no name can change its mind in between. Pure functions; thread-safe.
#pragma once

#include <sys/socket.h>

#include <string>

namespace yard::notify {

// Whether the address is reachable by everybody: neither loopback, private, link-local, shared,
// multicast, reserved nor unspecified, and no IPv6 form of one that is. Other families are not.
bool IsPublic(const sockaddr& address);

// "127.0.0.1"; empty for other families.
std::string TextOf(const sockaddr& address);

}  // namespace yard::notify
