// The way back from a handler to its connection.
//
// A Link outlives the connection, so that a late answer finds nothing instead of a dangling
// pointer. Only the loop's thread follows the pointer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "http/http.h"
#include "http/loop.h"
#include "http/tunnel.h"

namespace yard::http {

// What a connection takes from outside. Called on its loop's thread.
class Answerable {
 public:
  // Nothing: the request was dropped without an answer.
  virtual void OnAnswer(std::uint64_t sequence, std::optional<Reply> reply) = 0;
  virtual void OnStreamReady() = 0;
  // Ends the connection now.
  virtual void OnCut() = 0;
  // See Waiter.
  virtual void OnWaiter(std::uint64_t sequence, std::move_only_function<void()> gone) = 0;

  // After an upgrade; see Tunnel.
  virtual void OnReceive(Tunnel::Received done) = 0;
  virtual void OnSend(std::string bytes, Tunnel::Sent done) = 0;
  virtual void OnLeave() = 0;
  virtual void TellStop(std::move_only_function<void()> told) = 0;

 protected:
  ~Answerable() = default;
};

struct Link {
  std::shared_ptr<Loop> loop;
  Answerable* connection = nullptr;  // loop thread; null once it is closed
};

// Any thread. Small enough to sit inside a Respond without allocating.
class Responder {
 public:
  Responder(std::shared_ptr<Link> link, std::uint64_t sequence)
      : link_(std::move(link)), sequence_(sequence) {}
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&&) = delete;
  ~Responder();

  void operator()(Reply reply);

 private:
  void Deliver(std::optional<Reply> reply);

  std::shared_ptr<Link> link_;
  std::uint64_t sequence_;
};

// Any thread: tells the connection that its stream has something to write.
void NotifyStream(const std::shared_ptr<Link>& link);

}  // namespace yard::http
