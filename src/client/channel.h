// A two-way connection to the server: a WebSocket, signed in like every request.
//
// Thread-safe: one thread receives while another sends. Message boundaries are kept.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "client/client.h"

namespace yard::client {

class Channel {
 public:
  // The server's refusal is a Failure, in its own words.
  static Outcome<std::unique_ptr<Channel>> Open(const Options& options, const Request& request);

  virtual ~Channel() = default;

  // The next message; nothing: it is closed.
  virtual std::optional<std::string> Receive() = 0;
  // Waits until it is written.
  virtual Status Send(std::string bytes) = 0;
  // Receive and Send return soon afterwards, on whatever thread they wait.
  virtual void Close() = 0;
};

}  // namespace yard::client
