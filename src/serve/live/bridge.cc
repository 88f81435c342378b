#include "serve/live/bridge.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json.h"
#include "serve/live/descriptor.h"

namespace yard::serve {
namespace {

using http::CloseCode;
using http::Message;
using http::WebSocket;

constexpr std::size_t kPiece = 32 * 1024;

enum Channel : char { kInput = 0, kOutput = 1, kErrors = 2, kControl = 3 };

std::string Framed(Channel channel, std::string_view bytes) {
  std::string frame(1, channel);
  frame += bytes;
  return frame;
}

// What both kinds share: input from the WebSocket into a descriptor, output the other way.
class Bridge : public std::enable_shared_from_this<Bridge> {
 public:
  Bridge(LiveThreads& threads, std::shared_ptr<WebSocket> socket)
      : threads_(threads), socket_(std::move(socket)) {}
  virtual ~Bridge() = default;
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  virtual void Start() = 0;

 protected:
  // Resolves on the poller.
  void ReceiveNext() {
    socket_->Receive([self = shared_from_this()](std::optional<Message> message) {
      Poller& poller = self->threads_.poller;
      poller.Post([self, message = std::move(message)]() mutable {
        if (self->ended_) return;
        if (!message) return self->End();
        self->OnMessage(std::move(message->bytes));
      });
    });
  }
  void Send(std::string bytes, std::move_only_function<void()> then) {
    auto sent = [self = shared_from_this(), then = std::move(then)](Status status) mutable {
      Poller& poller = self->threads_.poller;
      poller.Post([self, then = std::move(then), ok = status.has_value()]() mutable {
        if (self->ended_) return;
        ok ? then() : self->End();
      });
    };
    socket_->Send({Message::Kind::kBinary, std::move(bytes)}, std::move(sent));
  }
  // Writes all of it, then receives the next message. Input that nobody reads is dropped.
  void Write(int fd, std::string bytes, std::size_t from) {
    if (ended_) return;
    std::string_view rest = std::string_view(bytes).substr(from);
    while (fd >= 0 && !rest.empty()) {
      Flow flow = WriteSome(fd, rest);
      if (flow == Flow::kEnded) break;
      if (flow == Flow::kSome) continue;
      std::size_t at = bytes.size() - rest.size();
      threads_.poller.OnWritable(
          fd, [self = shared_from_this(), fd, at, bytes = std::move(bytes)]() mutable {
            self->Write(fd, std::move(bytes), at);
          });
      return;
    }
    ReceiveNext();
  }

  virtual void OnMessage(std::string bytes) = 0;
  // Drops everything; no callback does anything afterwards.
  virtual void End() = 0;

  LiveThreads& threads_;
  std::shared_ptr<WebSocket> socket_;
  bool ended_ = false;
};

class SessionBridge final : public Bridge {
 public:
  SessionBridge(LiveThreads& threads, SessionPtr session, std::shared_ptr<WebSocket> socket)
      : Bridge(threads, std::move(socket)), session_(std::move(session)) {}

  void Start() override {
    open_outputs_ = session_->error() >= 0 ? 2 : 1;
    Pump(session_->output(), kOutput);
    if (session_->error() >= 0) Pump(session_->error(), kErrors);
    ReceiveNext();
  }

 private:
  std::shared_ptr<SessionBridge> Self() {
    return std::static_pointer_cast<SessionBridge>(shared_from_this());
  }

  void Pump(int fd, Channel channel) {
    if (ended_) return;
    std::string bytes;
    Flow flow = ReadSome(fd, kPiece, bytes);
    if (flow == Flow::kSome) {
      return Send(Framed(channel, bytes), [this, fd, channel] { Pump(fd, channel); });
    }
    if (flow == Flow::kNotNow) {
      return threads_.poller.OnReadable(fd,
                                        [self = Self(), fd, channel] { self->Pump(fd, channel); });
    }
    if (--open_outputs_ == 0) WaitForExit();
  }

  void OnMessage(std::string bytes) override {
    if (bytes.empty()) return ReceiveNext();
    if (bytes[0] == kInput)
      return Write(input_closed_ ? -1 : session_->input(), std::move(bytes), 1);
    if (bytes[0] == kControl) return Obey(std::string_view(bytes).substr(1));
    Refuse("only the channels 0 (input) and 3 (control) lead here");
  }

  void Obey(std::string_view text) {
    Result<json::value> order = ParseJson(text);
    if (!order || !order->is_object()) return Refuse("a control message must be a JSON object");
    const json::object& object = order->get_object();
    if (object.contains("closeInput")) {
      input_closed_ = true;  // nothing waits for it: what came before has been written
      return OnCallThread([session = session_] { session->CloseInput(); });
    }
    if (const json::value* size = object.if_contains("resize"); size && size->is_object()) {
      std::uint16_t rows = Cells(size->get_object(), "rows");
      std::uint16_t columns = Cells(size->get_object(), "columns");
      return OnCallThread([session = session_, rows, columns] {
        // A terminal that cannot be resized is no reason to end the command.
        [[maybe_unused]] Status resized = session->Resize(rows, columns);
      });
    }
    ReceiveNext();  // a later client may know more orders
  }

  static std::uint16_t Cells(const json::object& object, std::string_view name) {
    const json::value* value = object.if_contains(name);
    bool sane = value && value->is_int64() && value->get_int64() > 0 && value->get_int64() < 10'000;
    return sane ? static_cast<std::uint16_t>(value->get_int64()) : std::uint16_t{1};
  }

  // Makes a call that may block, then goes on receiving.
  void OnCallThread(std::move_only_function<void()> call) {
    auto task = [self = Self(), call = std::move(call)]() mutable {
      call();
      self->threads_.poller.Post([self] {
        if (!self->ended_) self->ReceiveNext();
      });
    };
    if (!threads_.calls.Post(std::move(task))) Refuse("the server is too busy");
  }

  // Input goes on meanwhile: a command may read after its last word.
  void WaitForExit() {
    AwaitExit(threads_, session_,
              [self = Self()](const Result<std::int32_t>& code) { self->Report(code); });
  }

  void Report(const Result<std::int32_t>& code) {
    if (ended_) return;
    if (!code) return Refuse(code.error().message);
    SayLast(fmt::format(R"({{"exit":{}}})", *code), CloseCode::kNormal);
  }

  void Refuse(std::string_view why) {
    std::string text = R"({"error":)";
    AppendJsonString(text, why);
    SayLast(text + "}", CloseCode::kFailed);
  }

  void SayLast(std::string_view text, CloseCode code) {
    socket_->Send({Message::Kind::kBinary, Framed(kControl, text)}, [](Status) {});
    socket_->Close(code, "");
    End();
  }

  void End() override {
    if (std::exchange(ended_, true)) return;
    for (int fd : {session_->output(), session_->error()}) threads_.poller.Forget(fd);
    if (!input_closed_) threads_.poller.Forget(session_->input());
    threads_.poller.Forget(session_->ended());
    session_.reset();
    socket_.reset();
  }

  SessionPtr session_;
  int open_outputs_ = 1;
  bool input_closed_ = false;
};

class PortBridge final : public Bridge {
 public:
  PortBridge(LiveThreads& threads, UniqueFd stream, std::shared_ptr<WebSocket> socket)
      : Bridge(threads, std::move(socket)), stream_(std::move(stream)) {}

  void Start() override {
    SetNonBlocking(stream_.get());
    Pump();
    if (!ended_) ReceiveNext();
  }

 private:
  void Pump() {
    if (ended_) return;
    std::string bytes;
    Flow flow = ReadSome(stream_.get(), kPiece, bytes);
    if (flow == Flow::kSome) return Send(std::move(bytes), [this] { Pump(); });
    if (flow == Flow::kNotNow) {
      return threads_.poller.OnReadable(
          stream_.get(),
          [self = std::static_pointer_cast<PortBridge>(shared_from_this())] { self->Pump(); });
    }
    socket_->Close(CloseCode::kNormal, "the task closed the connection");
    End();
  }
  void OnMessage(std::string bytes) override { Write(stream_.get(), std::move(bytes), 0); }
  void End() override {
    if (std::exchange(ended_, true)) return;
    threads_.poller.Forget(stream_.get());
    stream_.Reset();
    socket_.reset();
  }

  UniqueFd stream_;
};

void Begin(LiveThreads& threads, std::shared_ptr<Bridge> bridge) {
  threads.poller.Post([bridge = std::move(bridge)] { bridge->Start(); });
}

}  // namespace

SessionPtr Hold(LiveThreads& threads, std::unique_ptr<engine::Session> session) {
  return {session.release(), [&threads](engine::Session* held) {
            auto hang_up = [held] { delete held; };
            if (!threads.calls.Post(hang_up)) hang_up();
          }};
}

void AwaitExit(LiveThreads& threads, SessionPtr session, Exited exited) {
  const int ended = session->ended();
  auto collect = [&threads, session = std::move(session), exited = std::move(exited)]() mutable {
    // Not lost when the task is refused.
    auto held = std::make_shared<Exited>(std::move(exited));
    auto wait = [&threads, session = std::move(session), held] {
      threads.poller.Post([held, code = session->Wait()] { (*held)(code); });
    };
    if (threads.calls.Post(std::move(wait))) return;
    threads.poller.Post(
        [held] { (*held)(Fail(Code::kUnavailable, "too many commands end at once")); });
  };
  threads.poller.OnReadable(ended, std::move(collect));
}

void BridgeSession(LiveThreads& threads, SessionPtr session,
                   std::shared_ptr<http::WebSocket> socket) {
  Begin(threads, std::make_shared<SessionBridge>(threads, std::move(session), std::move(socket)));
}

void BridgePort(LiveThreads& threads, UniqueFd stream, std::shared_ptr<http::WebSocket> socket) {
  Begin(threads, std::make_shared<PortBridge>(threads, std::move(stream), std::move(socket)));
}

}  // namespace yard::serve
