// A blocking WebSocket client, over TCP, TLS or a unix socket.
//
// Thread-safe: usually one thread receives while another sends. The I/O runs on a thread of its
// own, which ends with the client. Boost.Asio stays in websocket_client.cc.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "http/websocket.h"

namespace yard::http {

struct WebSocketClientOptions {
  std::string url;              // "https://host:port"; http and ws are plain, https and wss TLS
  std::string unix_socket;      // if set, the way there; the URL then only names the host
  std::string ca_file;          // PEM; empty: the system's
  std::vector<Header> headers;  // for example Authorization
  Micros connect_timeout = Seconds(10);
  WebSocketOptions socket;
};

class WebSocketClient {
 public:
  // `target` is path and query, encoded.
  static std::expected<std::unique_ptr<WebSocketClient>, HelloRefused> Connect(
      const WebSocketClientOptions& options, const std::string& target);

  virtual ~WebSocketClient() = default;

  // Waits for the next message. Nothing: the connection is closed.
  virtual std::optional<Message> Receive() = 0;
  // Waits until it is written, so that a slow server holds its sender back.
  virtual Status Send(Message message) = 0;
  // Receive and Send return soon afterwards, on whatever thread they wait.
  virtual void Close() = 0;
};

}  // namespace yard::http
