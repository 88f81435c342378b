// For tests: a server whose handler is a function.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/check.h"
#include "http/raw_client.h"
#include "http/server.h"

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

inline Reply TextReply(std::string body) {
  Reply reply;
  reply.content_type = "text/plain";
  reply.body = std::move(body);
  return reply;
}

// Serves on a free port until it is destroyed.
class TestServer {
 public:
  explicit TestServer(FunctionHandler::Function function, ServerOptions options = {})
      : handler_(std::move(function)) {
    auto started = Server::Start(std::move(options), handler_);
    YARD_CHECK(started.has_value());
    server_ = *std::move(started);
  }

  // Answers with method, target and body, so that tests see what arrived.
  static void Echo(Request request, Respond respond) {
    respond(TextReply(request.target + "|" + request.body));
  }

  RawClient Connect() const { return RawClient::Tcp(server_->port()); }
  Server& operator*() { return *server_; }
  Server* operator->() { return server_.get(); }

 private:
  FunctionHandler handler_;
  std::unique_ptr<Server> server_;
};

}  // namespace yard::http::testing
