#include "http/websocket.h"

#include <chrono>
#include <deque>
#include <utility>

#include "http/assertion.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "base/strings.h"

namespace yard::http {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace ws = beast::websocket;
using beast::error_code;

constexpr std::size_t kLongestReason = 123;
constexpr std::size_t kWriteBuffer = 64 * 1024;

// A tunnel as Beast wants its streams. What arrived but was not taken yet is kept here.
class TunnelStream {
 public:
  using executor_type = net::io_context::executor_type;

  explicit TunnelStream(std::shared_ptr<Tunnel> tunnel) : tunnel_(std::move(tunnel)) {}

  executor_type get_executor() { return tunnel_->context().get_executor(); }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return net::async_initiate<Token, void(error_code, std::size_t)>(
        [this, buffers](auto handler) {
          auto give = [this, buffers, handler = std::move(handler)](std::string bytes) mutable {
            kept_ = std::move(bytes);
            error_code error;
            if (kept_.empty()) error = net::error::eof;
            std::size_t n = net::buffer_copy(buffers, net::buffer(kept_));
            kept_.erase(0, n);
            handler(error, n);
          };
          if (kept_.empty()) return tunnel_->Receive(std::move(give));
          tunnel_->Post([this, give = std::move(give)]() mutable { give(std::move(kept_)); });
        },
        token);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return net::async_initiate<Token, void(error_code, std::size_t)>(
        [this, buffers](auto handler) {
          std::string bytes(net::buffer_size(buffers), '\0');
          net::buffer_copy(net::buffer(bytes), buffers);
          std::size_t n = bytes.size();
          tunnel_->Send(std::move(bytes), [n, handler = std::move(handler)](Status sent) mutable {
            sent ? handler(error_code(), n) : handler(net::error::broken_pipe, std::size_t{0});
          });
        },
        token);
  }

  // Beast has these in its vocabulary for closing a stream.
  friend void beast_close_socket(TunnelStream& stream) { stream.tunnel_->Close(); }
  [[maybe_unused]] friend void teardown(beast::role_type, TunnelStream& stream, error_code&) {
    stream.tunnel_->Close();
  }
  template <class Handler>
  friend void async_teardown(beast::role_type, TunnelStream& stream, Handler&& handler) {
    stream.tunnel_->Close();
    stream.tunnel_->Post(
        [handler = std::forward<Handler>(handler)]() mutable { handler(error_code()); });
  }

 private:
  std::shared_ptr<Tunnel> tunnel_;
  std::string kept_;
};

std::chrono::microseconds Chrono(Micros span) {
  return std::chrono::microseconds(span.value);
}

// Adds headers to either side's handshake.
struct Decorator {
  std::vector<Header> headers;
  template <class Fields>
  void operator()(Fields& message) const {
    for (const Header& header : headers) message.set(header.first, header.second);
  }
};

// The protocol on one tunnel. It lives on the connection's thread and is kept alive by what is
// under way there; whoever uses it from outside holds no more than a weak pointer.
class Core final : public std::enable_shared_from_this<Core> {
 public:
  Core(const std::shared_ptr<Tunnel>& tunnel, WebSocketOptions options)
      : options_(std::move(options)), tunnel_(tunnel), ws_(tunnel), timer_(tunnel->context()) {
    ws::stream_base::timeout timeout{};
    timeout.handshake_timeout = std::chrono::duration_cast<decltype(timeout.handshake_timeout)>(
        Chrono(options_.handshake_timeout));
    timeout.idle_timeout = ws::stream_base::none();
    ws_.set_option(timeout);
    ws_.read_message_max(options_.message_bytes);
    ws_.write_buffer_bytes(kWriteBuffer);
    ws_.auto_fragment(false);
  }

  void Accept(const Request& request, Opened opened);
  void Greet(Hello hello, Greeted greeted);

  void Receive(WebSocket::Received done);
  void Send(Message message, WebSocket::Sent done);
  void Close(CloseCode code, std::string reason);

 private:
  struct Queued {
    Message message;
    WebSocket::Sent done;
  };

  void Begin();
  void WriteNext();
  void FinishClosing();
  void ArmTimer();
  void OnTimer();
  void End();

  const WebSocketOptions options_;
  const std::shared_ptr<Tunnel> tunnel_;
  ws::stream<TunnelStream, false> ws_;
  net::steady_timer timer_;

  beast::flat_buffer in_;
  WebSocket::Received receiver_;
  std::deque<Queued> queue_;
  std::size_t queued_bytes_ = 0;
  bool writing_ = false;
  bool pinging_ = false;
  bool ended_ = false;
  bool heard_ = false;  // from the peer, since the last tick
  int silent_ticks_ = 0;
  std::optional<ws::close_reason> closing_;
};

// What users hold.
class Handle final : public WebSocket {
 public:
  Handle(std::shared_ptr<Tunnel> tunnel, std::weak_ptr<Core> core)
      : tunnel_(std::move(tunnel)), core_(std::move(core)) {}
  ~Handle() override { Close(CloseCode::kNormal, ""); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  void Receive(Received done) override {
    tunnel_->Post([core = core_, done = std::move(done)]() mutable {
      if (auto alive = core.lock()) return alive->Receive(std::move(done));
      done(std::nullopt);
    });
  }
  void Send(Message message, Sent done) override {
    tunnel_->Post([core = core_, message = std::move(message), done = std::move(done)]() mutable {
      if (auto alive = core.lock()) return alive->Send(std::move(message), std::move(done));
      done(Fail(Code::kUnavailable, "the WebSocket is closed"));
    });
  }
  void Close(CloseCode code, std::string reason) override {
    tunnel_->Post([core = core_, code, reason = std::move(reason)]() mutable {
      if (auto alive = core.lock()) alive->Close(code, std::move(reason));
    });
  }

 private:
  const std::shared_ptr<Tunnel> tunnel_;
  const std::weak_ptr<Core> core_;
};

void Core::Accept(const Request& request, Opened opened) {
  beast::http::request<beast::http::empty_body> hello(beast::http::verb::get, request.target, 11);
  for (const Header& header : request.headers) hello.insert(header.first, header.second);
  Decorator decorator{{{"X-Request-Id", request.id}}};
  if (!options_.protocol.empty()) {
    decorator.headers.emplace_back("Sec-WebSocket-Protocol", options_.protocol);
  }
  ws_.set_option(ws::stream_base::decorator(decorator));
  ws_.async_accept(hello, [self = shared_from_this(),
                           opened = std::move(opened)](const error_code& error) mutable {
    if (error) return self->End();
    self->Begin();
    opened(std::make_shared<Handle>(self->tunnel_, self));
  });
}

void Core::Greet(Hello hello, Greeted greeted) {
  auto answer = std::make_shared<ws::response_type>();
  ws_.set_option(ws::stream_base::decorator(Decorator{std::move(hello.headers)}));
  auto on_answer = [self = shared_from_this(), answer,
                    greeted = std::move(greeted)](const error_code& error) mutable {
    if (!error) {
      self->Begin();
      return greeted(std::make_shared<Handle>(self->tunnel_, self));
    }
    bool declined = error == ws::error::upgrade_declined;
    HelloRefused refused{{Code::kUnavailable, "the WebSocket was not opened: " + error.message()},
                         declined ? static_cast<int>(answer->result_int()) : 0,
                         declined ? std::move(answer->body()) : std::string()};
    self->End();
    greeted(std::unexpected(std::move(refused)));
  };
  ws_.async_handshake(*answer, hello.host, hello.target, std::move(on_answer));
}

void Core::Begin() {
  ws_.control_callback([this](ws::frame_type, beast::string_view) { heard_ = true; });
  tunnel_->OnStop([weak = weak_from_this()] {
    if (auto self = weak.lock()) self->Close(CloseCode::kGoingAway, "the server is stopping");
  });
  ArmTimer();
}

void Core::Receive(WebSocket::Received done) {
  if (ended_ || closing_ || receiver_) return done(std::nullopt);
  receiver_ = std::move(done);
  silent_ticks_ = 0;
  ws_.async_read(in_, [self = shared_from_this()](const error_code& error, std::size_t) {
    if (error) return self->End();
    self->heard_ = true;
    Message message{self->ws_.got_text() ? Message::Kind::kText : Message::Kind::kBinary,
                    beast::buffers_to_string(self->in_.data())};
    self->in_.clear();
    // What arrives after the closing is not passed on.
    if (self->receiver_) std::exchange(self->receiver_, nullptr)(std::move(message));
  });
}

void Core::Send(Message message, WebSocket::Sent done) {
  if (ended_ || closing_) return done(Fail(Code::kUnavailable, "the WebSocket is closed"));
  std::size_t size = message.bytes.size();
  if (queued_bytes_ > 0 && queued_bytes_ + size > options_.backlog_bytes) {
    return done(Fail(Code::kTooMany, "the peer of the WebSocket reads too slowly"));
  }
  queued_bytes_ += size;
  queue_.push_back({std::move(message), std::move(done)});
  WriteNext();
}

void Core::WriteNext() {
  if (writing_ || ended_) return;
  if (queue_.empty()) return FinishClosing();
  writing_ = true;
  auto next = std::make_shared<Queued>(std::move(queue_.front()));
  queue_.pop_front();
  ws_.binary(next->message.kind == Message::Kind::kBinary);
  auto on_write = [self = shared_from_this(), next](const error_code& error, std::size_t) {
    self->writing_ = false;
    self->queued_bytes_ -= next->message.bytes.size();
    if (error) {
      next->done(Fail(Code::kUnavailable, "the WebSocket is closed"));
      return self->End();
    }
    next->done({});
    self->WriteNext();
  };
  ws_.async_write(net::buffer(next->message.bytes), std::move(on_write));
}

void Core::Close(CloseCode code, std::string reason) {
  if (ended_ || closing_) return;
  if (reason.size() > kLongestReason) reason.resize(kLongestReason);
  closing_.emplace(static_cast<ws::close_code>(code), reason);
  silent_ticks_ = 0;
  WriteNext();
  // The one who receives is told at once: a peer that reads nothing would delay the end.
  if (receiver_) std::exchange(receiver_, nullptr)(std::nullopt);
}

// Once everything queued has been written.
void Core::FinishClosing() {
  if (!closing_) return;
  writing_ = true;  // nothing is written after the closing frame
  ws_.async_close(*closing_, [self = shared_from_this()](const error_code&) { self->End(); });
}

void Core::ArmTimer() {
  timer_.expires_after(Chrono(options_.keep_alive));
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    if (error || self->ended_) return;
    self->OnTimer();
    self->ArmTimer();
  });
}

// A peer is silent only as long as somebody listens to it.
void Core::OnTimer() {
  if (closing_ && ++silent_ticks_ > 2) return tunnel_->Close();
  if (closing_) return;
  if (std::exchange(heard_, false) || !receiver_) {
    silent_ticks_ = 0;
    return;
  }
  if (++silent_ticks_ > 2) return tunnel_->Close();
  if (std::exchange(pinging_, true)) return;
  ws_.async_ping({}, [self = shared_from_this()](const error_code&) { self->pinging_ = false; });
}

void Core::End() {
  if (std::exchange(ended_, true)) return;
  timer_.cancel();
  tunnel_->Close();
  if (receiver_) std::exchange(receiver_, nullptr)(std::nullopt);
  for (Queued& queued : std::exchange(queue_, {})) {
    queued.done(Fail(Code::kUnavailable, "the WebSocket is closed"));
  }
}

bool ListContains(std::string_view list, std::string_view word) {
  for (std::string_view item : Split(list, ',')) {
    if (EqualsIgnoreCase(Trim(item), word)) return true;
  }
  return false;
}

}  // namespace

bool AsksForWebSocket(const Request& request) {
  return request.method == Method::kGet &&
         ListContains(request.Find("connection").value_or(""), "upgrade") &&
         ListContains(request.Find("upgrade").value_or(""), "websocket") &&
         request.Find("sec-websocket-key") && request.Find("sec-websocket-version") == "13";
}

std::vector<std::string_view> OfferedProtocols(const Request& request) {
  std::vector<std::string_view> offered;
  for (const Header& header : request.headers) {
    if (header.first != "sec-websocket-protocol") continue;
    for (std::string_view item : Split(header.second, ',')) offered.push_back(Trim(item));
  }
  return offered;
}

Reply AcceptWebSocket(Request request, WebSocketOptions options, Opened opened) {
  Reply reply;
  reply.status = 101;
  reply.upgrade = [request = std::move(request), options = std::move(options),
                   opened = std::move(opened)](std::shared_ptr<Tunnel> tunnel) mutable {
    auto core = std::make_shared<Core>(tunnel, std::move(options));
    core->Accept(request, std::move(opened));
  };
  return reply;
}

void OpenWebSocket(std::shared_ptr<Tunnel> tunnel, Hello hello, WebSocketOptions options,
                   Greeted greeted) {
  Tunnel& way = *tunnel;
  way.Post([tunnel = std::move(tunnel), hello = std::move(hello), options = std::move(options),
            greeted = std::move(greeted)]() mutable {
    auto core = std::make_shared<Core>(tunnel, std::move(options));
    core->Greet(std::move(hello), std::move(greeted));
  });
}

}  // namespace yard::http
