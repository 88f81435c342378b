#include "http/connection.h"

#include <sys/socket.h>

#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

#include "http/asio.h"
#include "http/input_buffer.h"
#include "http/reply.h"
#include "http/session.h"
#include "http/stream.h"

namespace yard::http {
namespace {

constexpr std::size_t kFirstRead = 4 * 1024;
constexpr std::size_t kBodyRead = 64 * 1024;
constexpr Micros kLingerTime = Seconds(2);
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr unsigned char kTlsHandshake = 0x16;

class Connection final : public Session, public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Loop> loop, Site& site, Accepted accepted);
  Task<void> Run();

  void OnStop() override;
  void OnStreamReady() override;
  void OnReceive(Tunnel::Received done) override;
  void OnSend(std::string bytes, Tunnel::Sent done) override;
  void OnLeave() override;
  void TellStop(std::move_only_function<void()> told) override { told_ = std::move(told); }

 private:
  // The session, in the order of its life. False: nothing more is to be served.
  Task<bool> Secure();
  Task<bool> ReadRequest();
  Task<bool> Answer();
  Task<void> Linger();

  Task<bool> Advance();
  Task<bool> StorePiece();
  Task<bool> Fill();
  Task<bool> Send(std::string_view bytes);
  Task<bool> SendReply(Reply reply);
  Task<bool> Refuse(Reply reply);

  Task<void> StreamAnswer(Reply reply);
  Task<void> Pump(BodyFraming framing);
  void Watch() override;
  Task<void> EndWatch();

  Task<void> LeaveHttp(Reply reply);
  void EndTransfer();

  // With TLS or without.
  template <class Use>
  auto OnWire(Use use) {
    return tls_ ? use(*tls_) : use(socket_);
  }

  // Until Wake. Spurious returns are possible: callers check what they wait for.
  Task<void> Sleep();
  void Wake() override;
  void Cancel() override;
  void Drop() override;

  Socket socket_;
  std::optional<TlsStream> tls_;
  InputBuffer in_;
  std::string out_;

  bool gone_ = false;  // the peer cannot be reached any more
  bool first_ = true;
  std::move_only_function<void()> sleeper_;

  std::shared_ptr<StreamQueue> stream_;
  bool watching_ = false;  // a read is under way
  bool keep_watching_ = false;
  char watched_[512];

  std::move_only_function<void()> told_;  // of the stop, after an upgrade
  int transfers_ = 0;                     // reads and writes under way for a tunnel
};

Connection::Connection(std::shared_ptr<Loop> loop, Site& site, Accepted accepted)
    : Session(std::move(loop), site, std::move(accepted)),
      socket_(loop_->context(), Protocol(peer_.family, 0), peer_.fd) {
  socket_.non_blocking(true);
  if (site_.tls() && peer_.family != AF_UNIX) tls_.emplace(socket_, *site_.tls());
  secure_ = tls_.has_value();
}

Task<void> Connection::Run() {
  bool more = co_await Secure();
  while (more) {
    more = co_await ReadRequest();
    if (more) more = co_await Answer();
  }
  co_await Linger();
}

// Plain HTTP on a TLS port is a common mistake and gets a readable answer.
Task<bool> Connection::Secure() {
  if (!peer_.seat) {
    tls_.reset();
    co_return co_await Refuse(ErrorReply(503, "too many connections are open", "try again later"));
  }
  if (!tls_) co_return true;
  Enter(Phase::kHandshake, site_.limits.header_timeout);
  error_code error;
  co_await socket_.async_wait(Socket::wait_read, net::redirect_error(kAwait, error));
  unsigned char first = 0;
  if (error || ::recv(socket_.native_handle(), &first, 1, MSG_PEEK) <= 0) {
    Drop();
    co_return false;
  }
  if (first != kTlsHandshake) {
    tls_.reset();
    co_return co_await Refuse(ErrorReply(400, "this port speaks HTTPS", "use an https:// address"));
  }
  co_await tls_->async_handshake(net::ssl::stream_base::server, net::redirect_error(kAwait, error));
  if (error || expired_) Drop();
  co_return !gone_;
}

Task<bool> Connection::ReadRequest() {
  parser_.Reset();
  FreeBody();
  in_.ShrinkTo(kBodyRead / 2);
  if (site_.stopping.load(std::memory_order_relaxed) && in_.empty()) {
    Drop();
    co_return false;
  }
  const Limits& limits = site_.limits;
  Enter(Phase::kIdle, first_ ? limits.header_timeout : limits.idle_timeout);
  first_ = false;
  bool more = true;
  while (more && parser_.state() != RequestParser::State::kDone) {
    if (in_.empty() || phase_ != Phase::kIdle) more = co_await Fill();
    if (more) more = co_await Advance();
  }
  co_return more;
}

// Parses what has arrived.
Task<bool> Connection::Advance() {
  using State = RequestParser::State;
  if (phase_ == Phase::kIdle) Enter(Phase::kHeader, site_.limits.header_timeout);
  in_.Consume(parser_.Feed(in_.bytes()));
  bool body_begins = parser_.state() == State::kBody && phase_ == Phase::kHeader;
  if (body_begins) ExpectBody();
  if (body_begins && parser_.state() == State::kBody) {
    bool invited = true;
    if (parser_.framing().expects_continue) invited = co_await Send(kContinue);
    if (!invited) co_return false;
    Enter(Phase::kBody, site_.limits.body_timeout);
    in_.Consume(parser_.Feed(in_.bytes()));
  }
  if (parser_.state() == State::kRefused) co_return co_await Refuse(parser_.TakeRefusal());
  if (!HoldBody()) co_return co_await Refuse(NoRoom());
  bool more = true;
  if (IsPieceDue()) more = co_await StorePiece();
  co_return more;
}

// The time that a body may take begins again with each piece: a large one takes long.
Task<bool> Connection::StorePiece() {
  Deposit();
  while (!reply_ && !gone_) co_await Sleep();
  if (gone_) co_return false;
  Reply reply = *std::exchange(reply_, std::nullopt);
  if (reply.status != BodySink::kGoOn) co_return co_await Refuse(std::move(reply));
  Enter(Phase::kBody, site_.limits.body_timeout);
  co_return true;
}

// Reads some more. False when the peer is gone or too slow, which is then told.
Task<bool> Connection::Fill() {
  // Only a line of chunk framing can fill the buffer without being consumed.
  if (in_.bytes().size() > site_.limits.header_bytes + kBodyRead) {
    co_return co_await Refuse(ErrorReply(400, "the chunked body is broken", "check the client"));
  }
  error_code error;
  auto space = in_.Prepare(phase_ == Phase::kBody ? kBodyRead : kFirstRead);
  auto room = net::buffer(space.data(), space.size());
  auto reading = OnWire(
      [&](auto& wire) { return wire.async_read_some(room, net::redirect_error(kAwait, error)); });
  std::size_t n = co_await std::move(reading);
  in_.Commit(n);
  Count(loop_->counters.bytes_in, n);
  if (!error && !expired_) co_return true;
  bool unfinished = phase_ == Phase::kHeader || phase_ == Phase::kBody;
  if (expired_ && unfinished && !gone_) {
    co_await Refuse(ErrorReply(408, "the request did not arrive in time", "send it again"));
  } else {
    Drop();
  }
  co_return false;
}

Task<bool> Connection::Answer() {
  // HTTP/1.0 clients that keep connections are too rare to be worth their own header.
  keep_alive_ = parser_.framing().keep_alive && parser_.framing().chunks_allowed;
  Enter(Phase::kHandler, site_.limits.handler_timeout);
  Dispatch();
  while (!reply_ && !gone_) co_await Sleep();
  if (watching_) co_await EndWatch();
  if (gone_) co_return false;
  if (site_.stopping.load(std::memory_order_relaxed)) keep_alive_ = false;
  Reply reply = *std::exchange(reply_, std::nullopt);
  if (reply.upgrade) {
    co_await LeaveHttp(std::move(reply));
    co_return false;
  }
  if (reply.stream && !parser_.framing().head_only) {
    co_await StreamAnswer(std::move(reply));
    co_return false;
  }
  co_return co_await SendReply(std::move(reply));
}

Task<bool> Connection::SendReply(Reply reply) {
  Assemble(reply, out_);
  UnsentPart unread(unsent());
  if (!unread.Set(reply.body.size())) Drop();
  bool sent = co_await Send(out_);
  if (sent && !reply.body.empty()) sent = co_await Send(reply.body);
  co_return sent&& keep_alive_;
}

Task<bool> Connection::Refuse(Reply reply) {
  NoteRefusal(reply.status);
  in_ = InputBuffer();
  co_return co_await SendReply(std::move(reply));
}

// A peer that reads slowly may take its time as long as it goes on reading.
Task<bool> Connection::Send(std::string_view bytes) {
  error_code error;
  if (!tls_) {
    // The socket's own buffer mostly takes it all, which saves a turn of the loop.
    std::size_t n = socket_.write_some(net::buffer(bytes), error);
    if (error == net::error::would_block) error = {};
    Count(loop_->counters.bytes_out, n);
    bytes.remove_prefix(n);
  }
  while (!error && !gone_ && !bytes.empty()) {
    Enter(Phase::kWrite, site_.limits.body_timeout);
    auto writing = OnWire([&](auto& wire) {
      return wire.async_write_some(net::buffer(bytes), net::redirect_error(kAwait, error));
    });
    std::size_t n = co_await std::move(writing);
    Count(loop_->counters.bytes_out, n);
    bytes.remove_prefix(n);
  }
  if (error) Drop();
  co_return !gone_;
}

Task<void> Connection::StreamAnswer(Reply reply) {
  keep_alive_ = false;
  ReplyFrame frame = Frame(0);
  frame.body = parser_.framing().chunks_allowed ? BodyFraming::kChunked : BodyFraming::kUntilClose;
  out_.clear();
  AppendHead(out_, reply, frame);
  bool sent = co_await Send(out_);
  if (!sent) co_return;
  stream_ = std::make_shared<StreamQueue>(
      site_.limits.stream_backlog_bytes, [link = link_] { NotifyStream(link); }, unsent());
  if (!reply.body.empty()) stream_->Push(std::move(reply.body));
  EnterUntimed(Phase::kStream);
  Watch();
  Guard([&] { reply.stream(std::make_shared<QueuedStream>(stream_)); });
  co_await Pump(frame.body);
  stream_->Close();
  co_await EndWatch();
}

// A stop of the server cuts a stream off after what is there: a proper end would say that nothing
// follows.
Task<void> Connection::Pump(BodyFraming framing) {
  for (bool last = false; !last && !gone_;) {
    bool stopping = site_.stopping;
    StreamQueue::Batch batch = stream_->Take();
    bool ended = batch.state == StreamQueue::State::kEnded;
    if (batch.state == StreamQueue::State::kOverrun) Drop();
    out_ = FramePiece(std::move(batch.bytes), framing, ended ? Piece::kLast : Piece::kInner);
    if (gone_) co_return;
    last = ended || stopping;
    if (out_.empty() && !last) {
      co_await Sleep();
    } else {
      co_await Send(out_);
      EnterUntimed(Phase::kStream);
    }
  }
}

// Handlers and streams may be silent for long; reading is how a vanished peer is noticed. What it
// sends before its answer is there is its next request.
void Connection::Watch() {
  keep_watching_ = true;
  if (std::exchange(watching_, true)) return;
  auto on_read = [self = shared_from_this()](const error_code& error, std::size_t n) {
    self->watching_ = false;
    bool early = self->phase_ == Phase::kHandler;
    if (early) self->in_.Append({self->watched_, n});
    bool full = early && self->in_.bytes().size() > kFirstRead;
    if (!error && self->keep_watching_ && !full) return self->Watch();
    if (error && error != net::error::operation_aborted) self->Drop();
    self->Wake();
  };
  OnWire([&](auto& wire) { wire.async_read_some(net::buffer(watched_), std::move(on_read)); });
}

Task<void> Connection::EndWatch() {
  keep_watching_ = false;
  if (watching_) Cancel();
  while (watching_) co_await Sleep();
}

// The tunnel's user reads and writes from here on; the connection waits for the end.
Task<void> Connection::LeaveHttp(Reply reply) {
  keep_alive_ = false;
  EnterUntimed(Phase::kTunnel);
  Guard([&] { reply.upgrade(MakeTunnel(link_)); });
  while (phase_ == Phase::kTunnel && !gone_) co_await Sleep();
  if (!gone_) Cancel();
  while (transfers_ > 0) co_await Sleep();
  told_ = nullptr;
}

void Connection::EndTransfer() {
  --transfers_;
  if (phase_ != Phase::kTunnel || gone_) Wake();
}

void Connection::OnReceive(Tunnel::Received done) {
  if (phase_ != Phase::kTunnel || gone_) return done({});
  if (!in_.empty()) {  // what came together with the request
    std::string bytes(in_.bytes());
    in_.Consume(bytes.size());
    return done(std::move(bytes));
  }
  ++transfers_;
  auto space = in_.Prepare(kBodyRead);
  auto on_read = [self = shared_from_this(), done = std::move(done), at = space.data()](
                     const error_code&, std::size_t n) mutable {
    Count(self->loop_->counters.bytes_in, n);
    if (!self->Guard([&] { done(std::string(at, n)); })) self->Drop();
    self->EndTransfer();
  };
  auto room = net::buffer(space.data(), space.size());
  OnWire([&](auto& wire) { wire.async_read_some(room, std::move(on_read)); });
}

void Connection::OnSend(std::string bytes, Tunnel::Sent done) {
  ++transfers_;
  auto kept = std::make_unique<std::string>(std::move(bytes));
  auto room = net::buffer(*kept);
  auto on_write = [self = shared_from_this(), kept = std::move(kept), done = std::move(done)](
                      const error_code& error, std::size_t n) mutable {
    Count(self->loop_->counters.bytes_out, n);
    Status sent =
        error ? Fail(Code::kUnavailable, "the peer is gone: " + error.message()) : Status();
    if (!self->Guard([&] { done(std::move(sent)); })) self->Drop();
    self->EndTransfer();
  };
  OnWire([&](auto& wire) { net::async_write(wire, room, std::move(on_write)); });
}

void Connection::OnLeave() {
  if (phase_ != Phase::kTunnel) return;
  EnterUntimed(Phase::kLinger);
  Wake();
}

// Closing with unread bytes would reset the connection and could destroy the answer on its way.
Task<void> Connection::Linger() {
  if (gone_) co_return;
  Enter(Phase::kLinger, kLingerTime);
  error_code error;
  if (tls_) co_await tls_->async_shutdown(net::redirect_error(kAwait, error));
  error = {};
  socket_.shutdown(Socket::shutdown_send, error);
  while (!error && !expired_) {
    co_await socket_.async_read_some(net::buffer(watched_), net::redirect_error(kAwait, error));
  }
  Drop();
}

Task<void> Connection::Sleep() {
  co_await net::async_initiate<const net::use_awaitable_t<Executor>, void()>(
      [this](auto handler) { sleeper_ = std::move(handler); }, kAwait);
}

void Connection::Wake() {
  if (sleeper_) net::post(loop_->context(), std::exchange(sleeper_, nullptr));
}

void Connection::Cancel() {
  error_code ignored;
  socket_.cancel(ignored);
}

void Connection::Drop() {
  gone_ = true;
  TellGone();
  error_code ignored;
  socket_.close(ignored);
}

void Connection::OnStop() {
  if (phase_ == Phase::kIdle && in_.empty()) {
    expired_ = true;
    Cancel();
  }
  if (stream_) Wake();
  if (phase_ != Phase::kTunnel) return;
  if (!told_) return OnLeave();
  std::exchange(told_, nullptr)();
}

void Connection::OnStreamReady() {
  if (stream_ && stream_->overrun()) Drop();
  Wake();
}

}  // namespace

void StartConnection(std::shared_ptr<Loop> loop, Site& site, Accepted accepted) {
  net::io_context& context = loop->context();
  auto connection = std::make_shared<Connection>(std::move(loop), site, std::move(accepted));
  net::co_spawn(
      context.get_executor(), [connection]() -> Task<void> { co_await connection->Run(); },
      [connection](const std::exception_ptr& failure) {
        if (failure) connection->OnFailure(failure);
      });
}

}  // namespace yard::http
