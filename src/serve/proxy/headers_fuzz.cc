// What crosses the proxy: a tool gets one whole request without the caller's credentials, and a
// browser one answer that acts on nothing beyond the tool's path.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/strings.h"
#include "http/parser.h"
#include "serve/auth/client_address.h"
#include "serve/proxy/headers.h"

namespace {

using namespace yard;
using http::RequestParser;

constexpr std::string_view kWho = "ann@lab.org";
constexpr std::string_view kPrefix = "/vision/notebook";

bool Reads(RequestParser& parser, std::string_view bytes) {
  for (std::size_t used = 1; used > 0 && !bytes.empty();) {
    if (parser.state() == RequestParser::State::kDone) return false;  // a second message follows
    if (parser.state() == RequestParser::State::kRefused) return false;
    used = parser.Feed(bytes);
    bytes.remove_prefix(used);
  }
  return bytes.empty() && parser.state() == RequestParser::State::kDone;
}

void CheckSent(const http::Request& request) {
  const std::optional<std::string> sent = serve::ToolRequest(request, kWho);
  YARD_CHECK(sent.has_value() == (request.method != http::Method::kOther));
  if (!sent) return;
  RequestParser parser({.header_bytes = 64 * 1024, .body_bytes = 64 * 1024});
  YARD_CHECK(Reads(parser, *sent));
  const http::Request& seen = parser.request();
  YARD_CHECK(seen.body == request.body && seen.method == request.method);
  YARD_CHECK(!seen.Find("authorization") && !seen.Find("proxy-authorization"));
  int users = 0;
  for (const http::Header& header : seen.headers) {
    if (header.first == "cookie") YARD_CHECK(!header.second.contains("gpuyard_tools="));
    if (header.first == "x-forwarded-user") YARD_CHECK(header.second == kWho && ++users == 1);
  }
  YARD_CHECK(users == 1);
}

void CheckAnswer(std::string_view bytes) {
  http::ResponseParser parser(http::Method::kGet);
  if (!parser.Feed(bytes) || !parser.has_head()) return;
  const http::Reply reply = serve::ReplyFromTool(parser.head(), kPrefix);
  for (const http::Header& header : reply.headers) {
    YARD_CHECK(header.first != "clear-site-data" && header.first != "transfer-encoding");
    if (header.first != "set-cookie") continue;
    YARD_CHECK(!Trim(header.second).starts_with("gpuyard_"));
    YARD_CHECK(header.second.contains("Path=/vision/notebook"));
  }
  const std::string head = serve::UpgradeHead(parser.head(), kPrefix);
  YARD_CHECK(head.find("\r\n\r\n") == head.size() - 4);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto proxies = serve::TrustedProxies::Parse("10.0.0.0/8, fd00::/8");
  const std::string_view bytes(reinterpret_cast<const char*>(data),
                               std::min<std::size_t>(size, 8192));
  RequestParser parser({.header_bytes = 8192, .body_bytes = 8192});
  if (Reads(parser, bytes)) {
    http::Request request = std::move(parser.request());
    request.peer_address = "10.1.2.3:4711";
    (void)serve::NetworkOf(proxies->ClientOf(request));
    for (const std::string& ticket : serve::ToolTicketsOf(request)) {
      (void)serve::ToolCookie(ticket, kPrefix, serve::Transport::kSecure);
    }
    CheckSent(request);
  }
  CheckAnswer(bytes);
  (void)serve::TrustedProxies::Parse(bytes);
  (void)serve::NetworkOf(bytes);
  return 0;
}
