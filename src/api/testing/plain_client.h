// For tests: sends bytes to a port of this machine and reads an answer.
//
// Blocking, with a timeout of its own. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace yard::api::testing {

class PlainClient {
 public:
  struct Answer {
    int status = 0;
    std::string head;
    std::string body;    // without chunk framing
    bool whole = false;  // it ended as announced
  };

  explicit PlainClient(std::uint16_t port);

  void Write(std::string_view bytes);
  // The next whole answer.
  Answer Send(std::string_view request);
  // Everything up to and with `part`.
  std::string ReadUntil(std::string_view part);

 private:
  bool Fill();
  bool TakeExactly(std::size_t n, std::string& out);
  void TakeChunks(Answer& answer);

  UniqueFd fd_;
  std::string buffer_;
};

}  // namespace yard::api::testing
