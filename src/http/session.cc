#include "http/session.h"

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "base/log.h"

namespace yard::http {
namespace {

constexpr std::size_t kLongestRequestId = 128;
constexpr std::size_t kCopyBodyUpTo = 16 * 1024;
constexpr std::size_t kPiece = 256 * 1024;  // of a body that goes into a sink

bool IsSaneId(std::string_view id) {
  return !id.empty() && id.size() <= kLongestRequestId && std::ranges::all_of(id, [](char c) {
    return c > ' ' && c < 0x7f && c != '"' && c != '\\';
  });
}

}  // namespace

Session::Session(std::shared_ptr<Loop> loop, Site& site, Accepted accepted)
    : loop_(std::move(loop)),
      site_(site),
      peer_(std::move(accepted)),
      link_(std::make_shared<Link>(loop_, this)),
      parser_(site.limits) {
  loop_->Add(*this);
  if (peer_.seat) site_.crowd.Settle(*peer_.seat, link_);
}

Session::~Session() {
  FreeBody();
  link_->connection = nullptr;
  loop_->Remove(*this);
  if (peer_.seat) site_.crowd.Leave(peer_.seat);
  site_.Closed();
}

void Session::Introduce(Request& request) const {
  request.peer_address = peer_.address;
  request.peer_credentials = peer_.credentials;
  request.secure = secure_;
}

void Session::ExpectBody() {
  if (site_.gate == nullptr) return parser_.Bound({});
  Introduce(parser_.request());
  // A gate that fails has not said that the body may come.
  Intake intake{.refusal = ErrorReply(500, "the server failed to answer", "try again")};
  Guard([&] { intake = site_.gate->Expect(parser_.request()); });
  sink_ = intake.sink;
  parser_.Bound(std::move(intake));
}

bool Session::IsPieceDue() {
  if (!sink_) return false;
  const std::size_t held = parser_.request().body.size();
  return held >= kPiece || (held > 0 && parser_.state() == RequestParser::State::kDone);
}

void Session::Deposit() {
  Enter(Phase::kHandler, site_.limits.handler_timeout);
  reply_.reset();
  ++sequence_;
  Guard([&] { sink_->Take(parser_.TakeBody(), Respond(Responder(link_, sequence_))); });
}

bool Session::HoldBody() {
  std::size_t size = parser_.request().body.capacity();
  std::size_t counted = size > kSmallBody ? size - kSmallBody : 0;
  if (counted <= body_held_) return true;
  if (!site_.TakeBodyRoom(counted - body_held_)) return false;
  body_held_ = counted;
  return true;
}

Reply Session::NoRoom() {
  return ErrorReply(503, "the server holds too many large requests", "try again later");
}

void Session::FreeBody() {
  sink_.reset();
  site_.GiveBodyRoom(std::exchange(body_held_, 0));
}

// The handler often answers before it returns: then nothing is posted and nobody sleeps.
void Session::Dispatch() {
  Count(loop_->counters.requests);
  Request& request = parser_.request();
  Introduce(request);
  auto sent = request.Find("x-request-id");
  request.id = sent && IsSaneId(*sent) ? std::string(*sent) : site_.NextRequestId();
  request_id_ = request.id;
  reply_.reset();
  request.waiter = Waiter(link_, ++sequence_);
  Respond respond{Responder(link_, sequence_)};
  if (auto sink = std::exchange(sink_, nullptr)) {
    Guard([&] { sink->Finish(std::move(request), std::move(respond)); });
  } else {
    Guard([&] { site_.handler.Handle(std::move(request), std::move(respond)); });
  }
}

bool Session::Guard(const std::function<void()>& action) const {
  try {
    action();
    return true;
  } catch (const std::exception& error) {
    log::Error("a handler failed", {{"request", request_id_}, {"error", error.what()}});
    return false;
  }
}

void Session::OnFailure(const std::exception_ptr& failure) {
  Guard([&] { std::rethrow_exception(failure); });
  Drop();
}

void Session::Compress(Reply& reply) {
  if (!WorthCompressing(reply)) return;
  reply.headers.emplace_back("Vary", "Accept-Encoding");
  if (!parser_.framing().accepts_gzip) return;
  reply.headers.emplace_back("Content-Encoding", "gzip");
  reply.body = loop_->gzipper().Compress(reply.body);
}

void Session::Assemble(Reply& reply, std::string& out) {
  Compress(reply);
  out.clear();
  AppendHead(out, reply, Frame(reply.body.size()));
  bool bodiless = parser_.framing().head_only || reply.status == 204 || reply.status == 304;
  if (!bodiless && reply.body.size() > kCopyBodyUpTo) return;
  if (!bodiless) out += reply.body;
  reply.body.clear();
}

void Session::NoteRefusal(int status) {
  // A broken request is no limit.
  bool over_limit = status == 408 || status == 413 || status == 431 || status == 503;
  if (over_limit) Count(loop_->counters.refused);
  keep_alive_ = false;
  request_id_ = site_.NextRequestId();
  parser_.Forget();  // the rest of the body may still take a while to be waited for
  FreeBody();
}

ReplyFrame Session::Frame(std::size_t body_bytes) const {
  return {.body = BodyFraming::kLength,
          .body_bytes = body_bytes,
          .keep_alive = keep_alive_,
          .date = loop_->date(),
          .request_id = request_id_};
}

void Session::Enter(Phase phase, Micros timeout) {
  EnterUntimed(phase);
  deadline_ = loop_->TickIn(timeout);
}

void Session::EnterUntimed(Phase phase) {
  bool busy = phase == Phase::kHandler || phase == Phase::kWrite || phase == Phase::kStream ||
              phase == Phase::kTunnel;
  if (peer_.seat) peer_.seat->idle.store(!busy, std::memory_order_relaxed);
  phase_ = phase;
  expired_ = false;
  deadline_ = kNever;
}

void Session::OnTick(std::int64_t tick) {
  if (tick < deadline_) return;
  deadline_ = kNever;
  expired_ = true;
  switch (phase_) {
    case Phase::kHandler:
      Count(loop_->counters.refused);
      keep_alive_ = false;
      TellGone();
      OnAnswer(sequence_, ErrorReply(503, "the server did not answer in time", "try again later"));
      break;
    case Phase::kWrite:
      Drop();
      break;
    default:
      Cancel();
  }
}

void Session::OnAnswer(std::uint64_t sequence, std::optional<Reply> reply) {
  if (sequence != sequence_ || !waits()) return;
  on_gone_ = nullptr;
  if (reply) {
    reply_ = std::move(reply);
  } else {
    log::Error("a request was dropped without an answer", {{"request", request_id_}});
    reply_ = ErrorReply(500, "the server failed to answer", "report request " + request_id_);
  }
  Wake();
}

void Session::OnWaiter(std::uint64_t sequence, std::move_only_function<void()> gone) {
  if (sequence != sequence_ || !waits()) return gone();
  on_gone_ = std::move(gone);
  Watch();
}

void Session::TellGone() {
  if (on_gone_) std::exchange(on_gone_, nullptr)();
}

}  // namespace yard::http
