// From bytes to a Request.
//
// The only user of Boost.Beast. Fed with whatever has arrived, it stops after one whole message,
// so that what follows (a pipelined request) stays in the caller's buffer. What is not clean
// HTTP/1.x, or is over a limit, ends as a refusal that the caller sends before it closes. A method
// that is kOther stands under ":method" among the headers, where no client can put anything.
// One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "http/gate.h"
#include "http/http.h"
#include "http/server.h"

namespace yard::http {

// What the connection must know about a request after the handler has taken it.
struct Framing {
  bool keep_alive = false;
  bool expects_continue = false;
  bool accepts_gzip = false;
  bool chunks_allowed = true;  // false for HTTP/1.0
  bool head_only = false;
};

class RequestParser {
 public:
  enum class State { kHeader, kBody, kDone, kRefused };

  explicit RequestParser(const Limits& limits);
  ~RequestParser();

  // Forgets the last message.
  void Reset();
  // Returns how many bytes of the front of `input` it used; stops behind the header. Not to be
  // called when done or refused.
  std::size_t Feed(std::string_view input);
  // Between header and body: what of it is taken. May refuse at once.
  void Bound(Intake intake);
  // The part of the body that has come since the last call; for a body that goes into a sink.
  std::string TakeBody();
  // Frees what the message holds.
  void Forget();

  State state() const;
  const Framing& framing() const;
  // Of a done message; peer and id are left to the caller.
  Request& request();
  // Of a refused one.
  Reply TakeRefusal();

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace yard::http
