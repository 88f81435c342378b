// The two servers that bench/http.sh compares: ours, and the least that a server on Beast's parser
// and an Asio socket can do (no limits, no deadlines, no routing, one thread).
//
//   http_bench serve bare|gpuyard --port N
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio.hpp>
#include <boost/beast/http.hpp>

#include "base/strings.h"
#include "http/server.h"

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
using net::ip::tcp;

constexpr std::string_view kBody = R"({"id":"j-123","state":"running","gpus":8})";
static_assert(kBody.size() == 41);

using Parser = beast::http::request_parser<beast::http::string_body>;

class BareSession {
 public:
  explicit BareSession(tcp::socket socket) : socket_(std::move(socket)), in_(16 * 1024) {}

  net::awaitable<void> Run() {
    bool more = true;
    while (more) {
      Parser parser;
      parser.eager(true);
      co_await Read(parser);
      out_ = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
      out_ += std::to_string(kBody.size());
      out_ += "\r\n\r\n";
      out_ += kBody;
      co_await net::async_write(socket_, net::buffer(out_), net::use_awaitable);
      more = parser.get().keep_alive();
    }
  }

 private:
  net::awaitable<void> Read(Parser& parser) {
    while (!parser.is_done()) {
      used_ += co_await socket_.async_read_some(net::buffer(in_.data() + used_, in_.size() - used_),
                                                net::use_awaitable);
      beast::error_code error;
      std::size_t taken = parser.put(net::buffer(in_.data(), used_), error);
      if (error && error != beast::http::error::need_more) throw beast::system_error(error);
      std::memmove(in_.data(), in_.data() + taken, used_ - taken);
      used_ -= taken;
    }
  }

  tcp::socket socket_;
  std::vector<char> in_;
  std::size_t used_ = 0;
  std::string out_;
};

net::awaitable<void> RunSession(tcp::socket socket) {
  try {
    BareSession session(std::move(socket));
    co_await session.Run();
  } catch (const std::exception&) {
    // The client has gone.
  }
}

net::awaitable<void> AcceptBare(tcp::acceptor& acceptor) {
  for (;;) {
    tcp::socket socket = co_await acceptor.async_accept(net::use_awaitable);
    socket.set_option(tcp::no_delay(true));
    net::co_spawn(acceptor.get_executor(), RunSession(std::move(socket)), net::detached);
  }
}

int ServeBare(std::uint16_t port) {
  net::io_context context(1);
  tcp::acceptor acceptor(context, {net::ip::make_address("127.0.0.1"), port});
  net::co_spawn(context, AcceptBare(acceptor), net::detached);
  context.run();
  return 0;
}

class FixedHandler final : public yard::http::Handler {
 public:
  void Handle(yard::http::Request, yard::http::Respond respond) override {
    yard::http::Reply reply;
    reply.body = kBody;
    respond(std::move(reply));
  }
};

int ServeGpuyard(std::uint16_t port) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  FixedHandler handler;
  yard::http::ServerOptions options;
  options.port = port;
  options.threads = 1;
  auto server = yard::http::Server::Start(options, handler);
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return 1;
  }
  int signal = 0;
  sigwait(&signals, &signal);
  (*server)->Stop(yard::Seconds(1));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> args(argv + 1, argv + argc);
  auto port = args.size() == 4 ? yard::ParseInt(args[3]) : std::nullopt;
  if (!port || args[0] != "serve" || args[2] != "--port") {
    std::fprintf(stderr, "usage: http_bench serve bare|gpuyard --port N\n");
    return 2;
  }
  auto number = static_cast<std::uint16_t>(*port);
  return args[1] == "bare" ? ServeBare(number) : ServeGpuyard(number);
}
