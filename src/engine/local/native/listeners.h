// Who listens on a port of the machine's loopback.
//
// Plain processes share the machine's network, so a port alone says nothing about whose it is.
// Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace yard::engine {

struct ListeningSocket {
  std::uint64_t inode = 0;  // of the socket
  std::uint32_t uid = 0;
  auto operator<=>(const ListeningSocket&) const = default;
};

// Those in a table of sockets (/proc/net/tcp or tcp6) whom a connection to 127.0.0.1 may reach.
std::vector<ListeningSocket> ParseListeners(std::string_view table, std::uint16_t port);
// Those of this machine.
std::vector<ListeningSocket> ListenersOn(std::uint16_t port);

// Whether one of the processes has the socket open.
bool HoldSocket(std::span<const int> pids, std::uint64_t inode);

}  // namespace yard::engine
