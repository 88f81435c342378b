// Any bytes as the answer of a tool: however they are cut, the same answer comes out.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/response_parser.h"

namespace {

using yard::http::Method;
using yard::http::ResponseParser;

std::string Read(std::string_view bytes, std::size_t step, Method asked) {
  ResponseParser parser(asked);
  std::string waiting;
  std::string body;
  while (!bytes.empty() && !parser.done()) {
    waiting += bytes.substr(0, step);
    bytes.remove_prefix(std::min(step, bytes.size()));
    yard::Result<std::size_t> used = parser.Feed(waiting);
    if (!used) return "not HTTP";
    YARD_CHECK(*used <= waiting.size());
    waiting.erase(0, *used);
    body += parser.TakeBody();
  }
  const bool whole = parser.done() || parser.End().has_value();
  if (!parser.has_head()) return "no head";
  std::string text = std::to_string(parser.head().status) + (whole ? " whole\n" : " cut\n");
  for (const yard::http::Header& header : parser.head().headers) {
    text += header.first + ':' + header.second + '\n';
  }
  return text + body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 16'384) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Method asked = data[0] >= 128 ? Method::kHead : Method::kGet;
  YARD_CHECK(Read(bytes, bytes.size() + 1, asked) == Read(bytes, 1U + data[0] % 64U, asked));
  return 0;
}
