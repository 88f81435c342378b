// WebSockets over a tunnel, for the server and the client.
//
// Like a tunnel, a WebSocket reads only when asked to, which is how a fast sender is held back;
// what is queued for sending is bounded. Pings keep it alive, and a peer that answers none is
// dropped. Thread-safe; callbacks come on the connection's thread, never from inside the call.
// Destroying the last reference closes it. Boost.Beast's WebSockets stay in websocket.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "http/http.h"
#include "http/tunnel.h"

namespace yard::http {

struct Message {
  enum class Kind { kBinary, kText };
  Kind kind = Kind::kBinary;
  std::string bytes;
};

enum class CloseCode : std::uint16_t {
  kNormal = 1000,
  kGoingAway = 1001,
  kRefused = 1008,
  kTooLarge = 1009,
  kFailed = 1011,
};

class WebSocket {
 public:
  // Nothing: it is closed, by either side or because the peer is gone.
  using Received = std::move_only_function<void(std::optional<Message> message)>;
  using Sent = std::move_only_function<void(Status status)>;

  virtual ~WebSocket() = default;

  // The next message. One at a time.
  virtual void Receive(Received done) = 0;
  // In the order of the calls. kTooMany when too much is queued already.
  virtual void Send(Message message, Sent done) = 0;
  // After what is queued. The peer is told the code and the reason (at most 123 bytes).
  virtual void Close(CloseCode code, std::string reason) = 0;
};

struct WebSocketOptions {
  std::string protocol;                         // the sub-protocol agreed on; empty: none
  std::size_t message_bytes = 1024 * 1024;      // a larger one closes with kTooLarge
  std::size_t backlog_bytes = 4 * 1024 * 1024;  // queued for sending
  Micros keep_alive = Seconds(30);              // a ping after so much silence, the end after two
  Micros handshake_timeout = Seconds(10);       // also for closing
};

using Opened = std::move_only_function<void(std::shared_ptr<WebSocket>)>;

// Whether the request is an opening handshake.
bool AsksForWebSocket(const Request& request);
// The sub-protocols a request offers, in its order.
std::vector<std::string_view> OfferedProtocols(const Request& request);

// The answer to an opening handshake; `opened` is not called if it fails after all.
Reply AcceptWebSocket(Request request, WebSocketOptions options, Opened opened);

// The client's side of the handshake.
struct Hello {
  std::string host;    // for the Host header
  std::string target;  // path and query
  std::vector<Header> headers;
};
struct HelloRefused {
  Error error;
  int status = 0;    // 0: no answer of HTTP came
  std::string body;  // of the answer
};
using Greeted =
    std::move_only_function<void(std::expected<std::shared_ptr<WebSocket>, HelloRefused>)>;
void OpenWebSocket(std::shared_ptr<Tunnel> tunnel, Hello hello, WebSocketOptions options,
                   Greeted greeted);

}  // namespace yard::http
