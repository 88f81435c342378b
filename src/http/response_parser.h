// From bytes to an answer, for whoever asks another HTTP server.
//
// Fed with whatever has arrived. The body comes in the pieces it was sent in, without its
// framing; what follows the message stays with the caller. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/http.h"

namespace yard::http {

struct ResponseHead {
  int status = 0;
  std::vector<Header> headers;          // names in lower case
  std::optional<std::uint64_t> length;  // of the body, if announced
};

class ResponseParser {
 public:
  // What the answer is to: an answer to HEAD has no body.
  explicit ResponseParser(Method asked);
  ~ResponseParser();
  ResponseParser(const ResponseParser&) = delete;
  ResponseParser& operator=(const ResponseParser&) = delete;

  // Returns how many bytes of the front of `input` it used: all, unless the message is done or an
  // upgrade, whose head alone is taken.
  Result<std::size_t> Feed(std::string_view input);
  // The peer has closed. Fails if the message was not whole.
  Status End();

  bool has_head() const;
  bool done() const;
  ResponseHead& head();
  // Of the body, since the last call.
  std::string TakeBody();

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace yard::http
