// Any bytes as the frames of a WebSocket's peer: however they are cut, the same messages come out.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "http/assertion.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "base/check.h"
#include "http/websocket.h"

namespace {

using namespace yard::http;

// A peer that has said everything already and takes whatever it is sent.
class Script final : public Tunnel, public std::enable_shared_from_this<Script> {
 public:
  Script(boost::asio::io_context& context, std::string_view bytes, std::size_t step)
      : context_(context), bytes_(bytes), step_(step) {}

  void Receive(Received done) override {
    std::string piece(closed_ ? std::string_view() : bytes_.substr(0, step_));
    bytes_.remove_prefix(std::min(step_, bytes_.size()));
    Post([done = std::move(done), piece = std::move(piece)]() mutable { done(std::move(piece)); });
  }
  void Send(std::string, Sent done) override {
    Post([done = std::move(done)]() mutable { done({}); });
  }
  void Close() override { closed_ = true; }
  void OnStop(std::move_only_function<void()>) override {}
  void Post(std::move_only_function<void()> task) override {
    boost::asio::post(context_, std::move(task));
  }
  boost::asio::io_context& context() override { return context_; }

 private:
  boost::asio::io_context& context_;
  std::string_view bytes_;
  const std::size_t step_;
  bool closed_ = false;
};

void TakeAll(const std::shared_ptr<WebSocket>& socket, std::string& seen) {
  socket->Receive([socket, &seen](std::optional<Message> message) {
    if (!message) return;
    seen += message->kind == Message::Kind::kText ? 't' : 'b';
    seen += std::to_string(message->bytes.size()) + ':' + message->bytes;
    TakeAll(socket, seen);
  });
}

std::string Read(std::string_view bytes, std::size_t step) {
  std::string seen;
  boost::asio::io_context context(1);
  Request hello{.target = "/x"};
  hello.headers = {{"host", "h"},
                   {"connection", "upgrade"},
                   {"upgrade", "websocket"},
                   {"sec-websocket-version", "13"},
                   {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="}};
  YARD_CHECK(AsksForWebSocket(hello));
  Reply reply = AcceptWebSocket(std::move(hello), {.message_bytes = 2048},
                                [&](const auto& socket) { TakeAll(socket, seen); });
  reply.upgrade(std::make_shared<Script>(context, bytes, step));
  // A failed assertion ends the connection, as the server's loop does.
  try {
    context.run();
  } catch (const AssertionFailed&) {
    return "failed";
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 8192) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  YARD_CHECK(Read(bytes, bytes.size() + 1) == Read(bytes, 1U + data[0] % 64U));
  return 0;
}
