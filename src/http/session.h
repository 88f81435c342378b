// The part of a connection that knows no socket: the running request, its deadline, its answer.
//
// Loop thread only. The connection derives from it and does the I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "http/connection.h"
#include "http/loop.h"
#include "http/parser.h"
#include "http/reply.h"
#include "http/responder.h"
#include "http/site.h"

namespace yard::http {

class Session : public Timed, public Answerable {
 public:
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void OnTick(std::int64_t tick) override;
  void OnAnswer(std::uint64_t sequence, std::optional<Reply> reply) override;
  void OnWaiter(std::uint64_t sequence, std::move_only_function<void()> gone) override;
  // Its coroutine has thrown: that ends this connection alone.
  void OnFailure(const std::exception_ptr& failure);
  void OnAbort() override { OnCut(); }
  void OnCut() override {
    Drop();
    Wake();
  }

 protected:
  enum class Phase {
    kHandshake,
    kIdle,
    kHeader,
    kBody,
    kHandler,
    kWrite,
    kStream,
    kTunnel,
    kLinger
  };

  Session(std::shared_ptr<Loop> loop, Site& site, Accepted accepted);
  ~Session();

  // Resumes whoever waits for an answer.
  virtual void Wake() = 0;
  // Ends the running reads and writes.
  virtual void Cancel() = 0;
  // Closes at once.
  virtual void Drop() = 0;
  // Reads what comes, to notice a peer that leaves.
  virtual void Watch() = 0;

  // Asks the gate about the body that is to come; the parser refuses it if it is not wanted.
  void ExpectBody();
  // Counts the body's memory among that of all. False: there is too much of it.
  bool HoldBody();
  static Reply NoRoom();  // the answer then
  // The request is over, and so is its body.
  void FreeBody();
  // Hands the parsed request to the handler or the sink; the answer comes as reply_.
  void Dispatch();
  // Hands what has come of the body to its sink, whose answer comes as reply_.
  void Deposit();
  // Whether enough has come to be handed on.
  bool IsPieceDue();
  // Whether the handler still works on the running request.
  bool waits() const { return phase_ == Phase::kHandler && !reply_; }
  // Tells the handler, if it wants to know, that nobody waits for its answer.
  void TellGone();
  // Runs what a handler gave; what it throws goes to the log. False: it has thrown.
  bool Guard(const std::function<void()>& action) const;
  // The whole answer as bytes; what of the body is too large to copy stays in `reply`.
  void Assemble(Reply& reply, std::string& out);
  void NoteRefusal(int status);
  ReplyFrame Frame(std::size_t body_bytes) const;
  // Null for a connection that is refused.
  std::shared_ptr<Unsent> unsent() const { return peer_.seat ? peer_.seat->unsent : nullptr; }
  void Enter(Phase phase, Micros timeout);
  void EnterUntimed(Phase phase);

  const std::shared_ptr<Loop> loop_;
  Site& site_;
  const Accepted peer_;
  const std::shared_ptr<Link> link_;
  RequestParser parser_;
  bool secure_ = false;

  Phase phase_ = Phase::kIdle;
  bool expired_ = false;  // the deadline of the phase has passed
  bool keep_alive_ = true;
  std::optional<Reply> reply_;
  std::shared_ptr<BodySink> sink_;  // of the running request; null: its body is kept
  std::string request_id_;

 private:
  void Compress(Reply& reply);
  // Says who sent it.
  void Introduce(Request& request) const;

  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::int64_t deadline_ = kNever;
  std::size_t body_held_ = 0;   // bytes
  std::uint64_t sequence_ = 0;  // of the running request; an answer to another one is late
  std::move_only_function<void()> on_gone_;  // of the running request
};

}  // namespace yard::http
