#include "serve/proxy/exchange.h"

#include <sys/timerfd.h>

#include <memory>
#include <utility>

#include "http/response_parser.h"
#include "serve/call.h"
#include "serve/live/descriptor.h"
#include "serve/proxy/headers.h"
#include "serve/proxy/tunnel.h"

namespace yard::serve {
namespace {

constexpr std::size_t kPiece = 64 * 1024;
// A body up to this size is collected, so that the browser's connection can be used again.
constexpr std::size_t kCollect = 1024 * 1024;
// Only a line of chunk framing, or what follows the last chunk, stays unparsed for long.
constexpr std::size_t kMostUnparsed = 128 * 1024;
// Others wait for the poller too.
constexpr int kPiecesPerTurn = 8;
// "100 Continue" and the like before the answer itself.
constexpr int kMostInterim = 8;

// Readable once the time is over.
UniqueFd StartTimer(Micros span) {
  constexpr std::int64_t kSecond = Seconds(1).value;
  UniqueFd timer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  itimerspec when{};
  when.it_value.tv_sec = span.value / kSecond;
  when.it_value.tv_nsec = span.value % kSecond * 1000;
  timerfd_settime(timer.get(), 0, &when, nullptr);
  return timer;
}

bool IsStatus(int status) {
  constexpr int kLeast = 100;
  constexpr int kMost = 599;
  return status >= kLeast && status <= kMost;
}

// All of it on the poller's thread.
class Exchange final : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(LiveThreads& threads, UniqueFd stream, ToolCall call, http::Respond respond)
      : threads_(threads),
        tool_(std::move(stream)),
        call_(std::move(call)),
        respond_(std::move(respond)),
        parser_(std::make_unique<http::ResponseParser>(call_.method)),
        unsent_(call_.request) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  void Start() {
    SetNonBlocking(tool_.get());
    timer_ = StartTimer(call_.patience);
    threads_.poller.OnReadable(timer_.get(), [self = shared_from_this()] { self->OnLate(); });
    call_.browser.OnGone([weak = weak_from_this(), &poller = threads_.poller] {
      poller.Post([weak] {
        if (auto self = weak.lock()) self->OnLeft();
      });
    });
    SendMore();
    ReadMore();
  }

 private:
  // Nobody waits for the answer any more.
  void OnLeft() {
    if (std::exchange(respond_, nullptr)) Close();
  }

  void OnLate() {
    Fail({Code::kUnavailable, "the tool did not answer in time", "check the tool's log"});
  }

  // A tool may answer before it has read everything, or instead of it.
  void SendMore() {
    while (tool_ && !unsent_.empty()) {
      Flow flow = WriteSome(tool_.get(), unsent_);
      if (flow == Flow::kEnded) return;
      if (flow == Flow::kSome) continue;
      return threads_.poller.OnWritable(tool_.get(),
                                        [self = shared_from_this()] { self->SendMore(); });
    }
  }

  void ReadMore() {
    for (int i = 0; tool_ && i < kPiecesPerTurn; ++i) {
      std::string bytes;
      Flow flow = ReadSome(tool_.get(), kPiece, bytes);
      if (flow == Flow::kNotNow) return OnNothing();
      if (flow == Flow::kEnded) return OnEnd();
      input_ += bytes;
      if (!Advance()) return;
    }
    threads_.poller.Post([self = shared_from_this()] { self->ReadMore(); });
  }

  // True: go on reading.
  bool Advance() {
    Result<std::size_t> used = parser_->Feed(input_);
    if (!used) return Fail(used.error());
    input_.erase(0, *used);
    if (input_.size() > kMostUnparsed) {
      return Fail({Code::kUnavailable, "the tool's answer is not HTTP: a line has no end"});
    }
    bool interim =
        parser_->done() && parser_->head().status / 100 == 1 && parser_->head().status != 101;
    if (interim) {
      if (++interim_ > kMostInterim) {
        return Fail({Code::kUnavailable, "the tool never comes to its answer", "check the tool"});
      }
      parser_ = std::make_unique<http::ResponseParser>(call_.method);
      return input_.empty() || Advance();
    }
    if (!parser_->has_head()) return true;
    if (!IsStatus(parser_->head().status))
      return Fail({Code::kUnavailable, "the tool's answer is not HTTP: its status is no status"});
    if (parser_->head().status == 101) return Upgrade();
    body_ += parser_->TakeBody();
    if (stream_) return PassOn();
    if (parser_->done()) return Answer();
    if (body_.size() > kCollect || parser_->head().length > kCollect) return Stream();
    return true;
  }

  // What has no announced end may be meant to be seen now.
  void OnNothing() {
    bool open_ended = parser_->has_head() && !parser_->head().length && respond_;
    if (open_ended && !Stream()) return;
    if (!tool_ || handing_over_) return;
    threads_.poller.OnReadable(tool_.get(), [self = shared_from_this()] { self->ReadMore(); });
  }

  void OnEnd() {
    bool whole = parser_->has_head() && parser_->End().has_value();
    body_ += parser_->TakeBody();
    if (!whole) {
      Fail({Code::kUnavailable, "the tool closed the connection without a whole answer",
            "it may still be starting; try again in a moment"});
    } else if (stream_) {
      PassOn();
    } else {
      Answer();
    }
  }

  bool Answer() {
    http::Reply reply = ReplyFromTool(parser_->head(), call_.prefix);
    reply.body = std::move(body_);
    Respond(std::move(reply));
    Close();
    return false;
  }

  // Answers with what is there and passes on the rest once the browser takes it.
  bool Stream() {
    http::Reply reply = ReplyFromTool(parser_->head(), call_.prefix);
    reply.body = std::exchange(body_, {});
    handing_over_ = true;
    reply.stream = [self = shared_from_this()](std::shared_ptr<http::Stream> stream) {
      self->threads_.poller.Post([self, stream = std::move(stream)]() mutable {
        self->handing_over_ = false;
        self->stream_ = std::move(stream);
        self->WatchBrowser();
        self->GoOnWhenDrained();
      });
    };
    Respond(std::move(reply));
    return false;
  }

  void WatchBrowser() {
    stream_->OnGone([weak = weak_from_this(), &poller = threads_.poller] {
      poller.Post([weak] {
        if (auto self = weak.lock()) self->Close();
      });
    });
  }

  bool PassOn() {
    if (!body_.empty() && !stream_->Write(std::exchange(body_, {}))) {
      Close();
      return false;
    }
    if (parser_->done()) {
      Close();
    } else {
      GoOnWhenDrained();
    }
    return false;
  }

  void GoOnWhenDrained() {
    stream_->OnDrained([self = shared_from_this()] {
      self->threads_.poller.Post([self] {
        if (self->stream_) self->ReadMore();
      });
    });
  }

  bool Upgrade() {
    if (call_.protocol == ToolCall::Protocol::kHttp)
      return Fail({Code::kUnavailable, "the tool changes the protocol, and nobody asked it to"});
    http::Reply reply;
    reply.status = 101;
    std::string first = UpgradeHead(parser_->head(), call_.prefix) + input_;
    threads_.poller.Forget(tool_.get());
    auto tool = std::make_shared<UniqueFd>(std::move(tool_));
    reply.upgrade = [&threads = threads_, tool,
                     first = std::move(first)](std::shared_ptr<http::Tunnel> tunnel) mutable {
      JoinTunnel(threads, std::move(*tool), std::move(tunnel), std::move(first));
    };
    Respond(std::move(reply));
    return false;
  }

  bool Fail(const Error& error) {
    if (stream_) stream_->Abort();
    if (respond_) Respond(ErrorReply(error, 502));
    Close();
    return false;
  }

  void Respond(http::Reply reply) {
    EndTimer();
    if (respond_) std::exchange(respond_, nullptr)(std::move(reply));
  }

  void EndTimer() {
    if (timer_) threads_.poller.Forget(timer_.get());
    timer_.Reset();
  }

  void Close() {
    EndTimer();
    if (tool_) threads_.poller.Forget(tool_.get());
    tool_.Reset();
    stream_.reset();
  }

  LiveThreads& threads_;
  UniqueFd tool_;
  UniqueFd timer_;  // until the answer begins
  const ToolCall call_;
  http::Respond respond_;  // null once it is used
  std::unique_ptr<http::ResponseParser> parser_;
  std::string_view unsent_;  // of call_.request
  int interim_ = 0;          // answers before the answer
  std::string input_;        // not parsed yet
  std::string body_;         // not passed on yet
  std::shared_ptr<http::Stream> stream_;
  bool handing_over_ = false;  // the answer's head is on its way
};

}  // namespace

void ExchangeWithTool(LiveThreads& threads, UniqueFd stream, ToolCall call, http::Respond respond) {
  auto exchange =
      std::make_shared<Exchange>(threads, std::move(stream), std::move(call), std::move(respond));
  threads.poller.Post([exchange] { exchange->Start(); });
}

}  // namespace yard::serve
