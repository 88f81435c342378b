#include "http/websocket_client.h"

#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace yard::http {
namespace {

namespace net = boost::asio;
namespace ssl = net::ssl;
using boost::system::error_code;
using net::use_awaitable;
using net::ip::tcp;
using Socket = net::generic::stream_protocol::socket;
template <class T>
using Task = net::awaitable<T>;

constexpr std::size_t kReadBytes = 64 * 1024;
constexpr auto kGoodbye = std::chrono::seconds(1);

// The parts of "https://host:port".
struct Address {
  std::string host;
  std::string port;
  std::string authority;  // as the Host header has it
  bool secure = false;
};

Result<Address> ParseAddress(std::string_view url) {
  Address address;
  std::size_t scheme = url.find("://");
  std::string_view kind = url.substr(0, scheme == std::string_view::npos ? 0 : scheme);
  address.secure = kind == "https" || kind == "wss";
  std::string_view rest = kind.empty() ? url : url.substr(scheme + 3);
  rest = rest.substr(0, rest.find('/'));
  address.authority = rest;
  std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos) {
    address.port = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
  } else {
    address.port = address.secure ? "443" : "80";
  }
  if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
  address.host = rest;
  if (!address.host.empty()) return address;
  return Fail(Code::kInvalid, fmt::format("'{}' is not a server's address", url),
              "for example https://gpu.example.org:8470");
}

// The way to the server. On the client's thread, except Post.
class ClientTunnel final : public Tunnel, public std::enable_shared_from_this<ClientTunnel> {
 public:
  ClientTunnel(net::io_context& context, const WebSocketClientOptions& options)
      : options_(options),
        context_(context),
        tls_context_(ssl::context::tls_client),
        socket_(context),
        goodbye_(context) {}

  Task<Status> Connect(Address address);

  void Receive(Received done) override;
  void Send(std::string bytes, Sent done) override;
  void Close() override {
    error_code ignored;
    socket_.close(ignored);
    goodbye_.cancel();
  }
  // A server that does not answer the goodbye is left without one.
  void LimitGoodbye() {
    if (!socket_.is_open()) return;
    goodbye_.expires_after(kGoodbye);
    goodbye_.async_wait([self = shared_from_this()](const error_code& error) {
      if (!error) self->Close();
    });
  }
  void OnStop(std::move_only_function<void()>) override {}
  void Post(std::move_only_function<void()> task) override { net::post(context_, std::move(task)); }
  net::io_context& context() override { return context_; }

 private:
  Task<error_code> Reach(const Address& address);
  Status TrustAuthority();
  Task<Status> Secure(const Address& address);

  const WebSocketClientOptions options_;
  net::io_context& context_;
  ssl::context tls_context_;
  Socket socket_;
  net::steady_timer goodbye_;
  std::optional<ssl::stream<Socket&>> tls_;
  std::string in_ = std::string(kReadBytes, '\0');
  std::string out_;
};

Task<error_code> ClientTunnel::Reach(const Address& address) {
  error_code error;
  if (!options_.unix_socket.empty()) {
    net::local::stream_protocol::endpoint place(options_.unix_socket);
    co_await socket_.async_connect(place, net::redirect_error(use_awaitable, error));
    co_return error;
  }
  tcp::resolver resolver(context_);
  auto places = co_await resolver.async_resolve(address.host, address.port,
                                                net::redirect_error(use_awaitable, error));
  for (const auto& place : places) {
    error_code ignored;
    socket_.close(ignored);
    tcp::endpoint endpoint = place.endpoint();
    co_await socket_.async_connect(endpoint, net::redirect_error(use_awaitable, error));
    if (error) continue;
    socket_.set_option(tcp::no_delay(true), ignored);
    co_return error;
  }
  co_return error;
}

Status ClientTunnel::TrustAuthority() {
  error_code error;
  tls_context_.set_verify_mode(ssl::verify_peer);
  if (options_.ca_file.empty()) {
    tls_context_.set_default_verify_paths(error);
  } else {
    tls_context_.load_verify_file(options_.ca_file, error);
  }
  if (!error) return {};
  return Fail(
      Code::kInvalid,
      fmt::format("cannot read the authorities of {}: {}", options_.ca_file, error.message()),
      "name the server's ca.crt");
}

Task<Status> ClientTunnel::Secure(const Address& address) {
  if (Status trusted = TrustAuthority(); !trusted) co_return trusted;
  tls_.emplace(socket_, tls_context_);
  SSL_set_tlsext_host_name(tls_->native_handle(), address.host.c_str());
  tls_->set_verify_callback(ssl::host_name_verification(address.host));
  error_code error;
  co_await tls_->async_handshake(ssl::stream_base::client,
                                 net::redirect_error(use_awaitable, error));
  if (!error) co_return Status();
  co_return Fail(Code::kUnavailable,
                 fmt::format("{} is not trusted: {}", options_.url, error.message()),
                 "copy its DATA-DIR/tls/ca.crt here and name it with --ca-file or GPUYARD_CA_FILE");
}

Task<Status> ClientTunnel::Connect(Address address) {
  net::steady_timer patience(context_);
  patience.expires_after(std::chrono::microseconds(options_.connect_timeout.value));
  patience.async_wait([self = shared_from_this()](const error_code& error) {
    if (!error) self->Close();
  });
  error_code error = co_await Reach(address);
  if (error) {
    const std::string& where = options_.unix_socket.empty() ? options_.url : options_.unix_socket;
    co_return Fail(Code::kUnavailable, fmt::format("cannot reach {}: {}", where, error.message()),
                   "is the server running? `gpuyard up` starts one on this machine");
  }
  bool secure = address.secure && options_.unix_socket.empty();
  if (!secure) co_return Status();
  co_return co_await Secure(address);
}

void ClientTunnel::Receive(Received done) {
  auto on_read = [self = shared_from_this(), done = std::move(done)](
                     const error_code&, std::size_t n) mutable { done(self->in_.substr(0, n)); };
  if (tls_) return tls_->async_read_some(net::buffer(in_), std::move(on_read));
  socket_.async_read_some(net::buffer(in_), std::move(on_read));
}

void ClientTunnel::Send(std::string bytes, Sent done) {
  out_ = std::move(bytes);
  auto on_write = [self = shared_from_this(), done = std::move(done)](const error_code& error,
                                                                      std::size_t) mutable {
    done(error ? Fail(Code::kUnavailable, "the server is gone: " + error.message()) : Status());
  };
  if (tls_) return net::async_write(*tls_, net::buffer(out_), std::move(on_write));
  net::async_write(socket_, net::buffer(out_), std::move(on_write));
}

class BlockingClient final : public WebSocketClient {
 public:
  explicit BlockingClient(const WebSocketClientOptions& options)
      : work_(context_.get_executor()),
        tunnel_(std::make_shared<ClientTunnel>(context_, options)),
        thread_([this] { context_.run(); }) {}
  ~BlockingClient() override {
    socket_.reset();  // says goodbye
    net::post(context_, [this] {
      tunnel_->LimitGoodbye();
      work_.reset();
    });
    thread_.join();
  }
  BlockingClient(const BlockingClient&) = delete;
  BlockingClient& operator=(const BlockingClient&) = delete;

  std::expected<void, HelloRefused> Open(const WebSocketClientOptions& options,
                                         const std::string& target);

  std::optional<Message> Receive() override {
    std::promise<std::optional<Message>> promise;
    socket_->Receive(
        [&](std::optional<Message> message) { promise.set_value(std::move(message)); });
    return promise.get_future().get();
  }
  Status Send(Message message) override {
    std::promise<Status> promise;
    socket_->Send(std::move(message), [&](Status status) { promise.set_value(std::move(status)); });
    return promise.get_future().get();
  }
  void Close() override { socket_->Close(CloseCode::kNormal, ""); }

 private:
  Status Reach(const Address& address);

  net::io_context context_{1};
  net::executor_work_guard<net::io_context::executor_type> work_;
  std::shared_ptr<ClientTunnel> tunnel_;
  std::shared_ptr<WebSocket> socket_;
  std::thread thread_;
};

Status BlockingClient::Reach(const Address& address) {
  std::promise<Status> reached;
  auto connect = [&]() -> Task<void> {
    Status status = co_await tunnel_->Connect(address);
    reached.set_value(std::move(status));
  };
  net::co_spawn(context_, connect, net::detached);
  return reached.get_future().get();
}

std::expected<void, HelloRefused> BlockingClient::Open(const WebSocketClientOptions& options,
                                                       const std::string& target) {
  Result<Address> address = ParseAddress(options.url);
  if (!address) return std::unexpected(HelloRefused{address.error()});
  if (Status reached = Reach(*address); !reached) {
    return std::unexpected(HelloRefused{reached.error()});
  }
  std::promise<std::expected<std::shared_ptr<WebSocket>, HelloRefused>> greeted;
  Hello hello{address->authority, target, options.headers};
  if (!options.socket.protocol.empty()) {
    hello.headers.emplace_back("Sec-WebSocket-Protocol", options.socket.protocol);
  }
  OpenWebSocket(tunnel_, std::move(hello), options.socket,
                [&](auto outcome) { greeted.set_value(std::move(outcome)); });
  auto outcome = greeted.get_future().get();
  if (!outcome) return std::unexpected(std::move(outcome).error());
  socket_ = *std::move(outcome);
  return {};
}

}  // namespace

std::expected<std::unique_ptr<WebSocketClient>, HelloRefused> WebSocketClient::Connect(
    const WebSocketClientOptions& options, const std::string& target) {
  auto client = std::make_unique<BlockingClient>(options);
  if (auto opened = client->Open(options, target); !opened) {
    return std::unexpected(std::move(opened).error());
  }
  return client;
}

}  // namespace yard::http
