#include "client/channel.h"

#include <fmt/format.h>

#include "base/version.h"
#include "http/websocket_client.h"

namespace yard::client {
namespace {

class SocketChannel final : public Channel {
 public:
  explicit SocketChannel(std::unique_ptr<http::WebSocketClient> socket)
      : socket_(std::move(socket)) {}

  std::optional<std::string> Receive() override {
    std::optional<http::Message> message = socket_->Receive();
    if (!message) return std::nullopt;
    return std::move(message->bytes);
  }
  Status Send(std::string bytes) override { return socket_->Send({.bytes = std::move(bytes)}); }
  void Close() override { socket_->Close(); }

 private:
  std::unique_ptr<http::WebSocketClient> socket_;
};

// "https://host/gpuyard/" -> "/gpuyard": where a reverse proxy has put the server.
std::string_view PathOf(std::string_view url) {
  std::size_t scheme = url.find("://");
  std::size_t slash = url.find('/', scheme == std::string_view::npos ? 0 : scheme + 3);
  if (slash == std::string_view::npos) return {};
  std::string_view path = url.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

Failure Refused(const http::HelloRefused& refused) {
  if (refused.status != 0) return FailureOf(refused.status, refused.body, "");
  Failure failure(refused.error);
  failure.error.code = Code::kUnavailable;
  return failure;
}

}  // namespace

Outcome<std::unique_ptr<Channel>> Channel::Open(const Options& options, const Request& request) {
  http::WebSocketClientOptions socket;
  socket.url = options.url;
  socket.unix_socket = options.unix_socket;
  socket.ca_file = options.ca_file;
  socket.connect_timeout = options.connect_timeout;
  socket.headers.push_back({"User-Agent", fmt::format("gpuyard/{}", kVersion)});
  if (!options.token.empty())
    socket.headers.push_back({"Authorization", "Bearer " + options.token});
  std::string target = std::string(PathOf(options.url)) + TargetOf(request);
  auto opened = http::WebSocketClient::Connect(socket, target);
  if (!opened) return std::unexpected(Refused(opened.error()));
  return std::make_unique<SocketChannel>(*std::move(opened));
}

}  // namespace yard::client
