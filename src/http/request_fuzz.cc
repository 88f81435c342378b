// Any bytes as requests on one connection: however they are cut, the same requests come out.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/parser.h"

namespace {

using yard::http::RequestParser;
using State = RequestParser::State;

std::string Shown(const yard::http::Request& request) {
  std::string text = request.target + '\n' + request.body + '\n';
  for (const yard::http::Header& header : request.headers) {
    text += header.first + ':' + header.second + '\n';
  }
  return text;
}

// Feeds like a connection does: what the parser leaves is shown to it again with what comes next.
std::string Read(std::string_view bytes, std::size_t step) {
  RequestParser parser({.header_bytes = 2048, .body_bytes = 4096});
  std::string waiting;
  std::string seen;
  while (true) {
    std::size_t used = 1;
    while (used > 0 && !waiting.empty() && parser.state() != State::kRefused) {
      used = parser.Feed(waiting);
      YARD_CHECK(used <= waiting.size());
      waiting.erase(0, used);
      if (parser.state() != State::kDone) continue;
      seen += Shown(parser.request());
      parser.Reset();
    }
    if (parser.state() == State::kRefused) {
      return seen + "refused " + std::to_string(parser.TakeRefusal().status);
    }
    if (bytes.empty()) return seen;
    waiting += bytes.substr(0, step);
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 16'384) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  YARD_CHECK(Read(bytes, bytes.size() + 1) == Read(bytes, 1U + data[0] % 64U));
  return 0;
}
