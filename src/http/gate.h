// The gate before request bodies: who may send one, how large, and whether compressed.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>

#include "http/http.h"

namespace yard::http {

// How much of a body is wanted.
struct Intake {
  enum class Encoding { kAny, kPlainOnly };
  std::optional<Reply> refusal = std::nullopt;  // none of it: this is the answer, then the end
  std::size_t body_bytes = std::numeric_limits<std::size_t>::max();  // if below the server's limit
  Encoding encoding = Encoding::kAny;
};

class Gate {
 public:
  virtual ~Gate() = default;
  // Asked once the header of a request with a body is there, before any of the body is kept: the
  // place to turn away those who may not send one. On an I/O thread; must not block.
  virtual Intake Expect(const Request& head) = 0;
};

}  // namespace yard::http
