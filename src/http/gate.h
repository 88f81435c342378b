// The gate before request bodies: who may send one, how large, whether compressed, and where it
// goes.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "http/http.h"

namespace yard::http {

// Takes a body that is too large to be kept, piece by piece. Nothing more is read from the peer
// until a piece is answered for. Destroyed without Finish, the request has broken off.
class BodySink {
 public:
  // The answer to a piece after which the next may come. Any other is the request's answer, and
  // its end.
  static constexpr int kGoOn = 100;

  virtual ~BodySink() = default;
  // Called on an I/O thread; must not block.
  virtual void Take(std::string piece, Respond respond) = 0;
  // Stands for Handler::Handle; the body of `request` is empty.
  virtual void Finish(Request request, Respond respond) = 0;
};

// How much of a body is wanted.
struct Intake {
  enum class Encoding { kAny, kPlainOnly };
  std::optional<Reply> refusal = std::nullopt;  // none of it: this is the answer, then the end
  std::size_t body_bytes = std::numeric_limits<std::size_t>::max();  // if below the server's limit
  Encoding encoding = Encoding::kAny;
  // Set: the body goes there, plain, and `body_bytes` alone bounds it.
  std::shared_ptr<BodySink> sink = nullptr;
};

class Gate {
 public:
  virtual ~Gate() = default;
  // Asked once the header of a request with a body is there, before any of the body is kept: the
  // place to turn away those who may not send one. On an I/O thread; must not block.
  virtual Intake Expect(const Request& head) = 0;
};

}  // namespace yard::http
