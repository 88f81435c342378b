// One connection: reads requests, hands them to the handler, writes the answers in order.
//
// A connection lives on one loop and is touched by no other thread; an answer from elsewhere is
// posted to that loop. Boost.Asio stays in connection.cc.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/crowd.h"
#include "http/http.h"
#include "http/loop.h"
#include "http/site.h"

namespace yard::http {

// An accepted socket. `fd` is non-blocking and owned by the connection from here on.
struct Accepted {
  int fd = -1;
  int family = 0;
  std::string address;
  std::optional<PeerCredentials> credentials;
  std::string network;         // connections of one count together
  std::shared_ptr<Seat> seat;  // null: the server is full, and the peer gets 503
};

// Loop thread. The connection keeps itself alive until it is closed.
void StartConnection(std::shared_ptr<Loop> loop, Site& site, Accepted accepted);

}  // namespace yard::http
