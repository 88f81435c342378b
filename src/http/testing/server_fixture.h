// For tests: a server whose handler is a function.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/check.h"
#include "http/server.h"
#include "http/testing/raw_client.h"

namespace yard::http::testing {

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<void(Request, Respond)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Handle(Request request, Respond respond) override {
    function_(std::move(request), std::move(respond));
  }

 private:
  Function function_;
};

class FunctionGate final : public Gate {
 public:
  Intake Expect(const Request& head) override { return expect ? expect(head) : Intake{}; }

  std::function<Intake(const Request&)> expect;  // to be set before the first request
};

inline Reply TextReply(std::string body) {
  Reply reply;
  reply.content_type = "text/plain";
  reply.body = std::move(body);
  return reply;
}

// Waits for what another thread is about to do; false if it does not come.
inline bool Eventually(const std::function<bool()>& condition) {
  Time end = SystemClock().Now() + Seconds(60);
  while (SystemClock().Now() < end) {
    if (condition()) return true;
    std::this_thread::yield();
  }
  return false;
}

inline ServerOptions WithLimits(const Limits& limits) {
  ServerOptions options;
  options.limits = limits;
  return options;
}

constexpr Micros kSoon = Micros(60'000);

// Serves on a free port until it is destroyed.
class TestServer {
 public:
  explicit TestServer(FunctionHandler::Function function, ServerOptions options = {})
      : handler_(std::move(function)) {
    options.gate = &gate_;
    auto started = Server::Start(std::move(options), handler_);
    YARD_CHECK(started.has_value());
    server_ = *std::move(started);
  }

  // Answers with method, target and body, so that tests see what arrived.
  static void Echo(Request request, Respond respond) {
    respond(TextReply(request.target + "|" + request.body));
  }

  // What is said about bodies; to be called before the first request.
  void OnBody(std::function<Intake(const Request&)> expect) { gate_.expect = std::move(expect); }

  RawClient Connect() const { return RawClient::Tcp(server_->port()); }
  Server& operator*() { return *server_; }
  Server* operator->() { return server_.get(); }

 private:
  FunctionHandler handler_;
  FunctionGate gate_;
  std::unique_ptr<Server> server_;
};

}  // namespace yard::http::testing
