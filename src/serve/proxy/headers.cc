#include "serve/proxy/headers.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "control/auth/tool_pass.h"
#include "http/reply.h"
#include "http/websocket.h"
#include "serve/route.h"

namespace yard::serve {
namespace {

constexpr std::string_view kToolCookie = "gpuyard_tools";

constexpr std::array<std::string_view, 9> kHopByHop{"connection",
                                                    "keep-alive",
                                                    "proxy-authenticate",
                                                    "proxy-authorization",
                                                    "proxy-connection",
                                                    "te",
                                                    "trailer",
                                                    "transfer-encoding",
                                                    "upgrade"};

// Made anew here, whatever the client says.
constexpr std::array<std::string_view, 4> kOurs{"authorization", "cookie", "content-length",
                                                "x-request-id"};

// Set by the transport on the way back.
constexpr std::array<std::string_view, 4> kTransport{"content-length", "content-type", "date",
                                                     "x-request-id"};

// Would act on the whole site, which a tool shares with this server and every other tool.
constexpr std::array<std::string_view, 6> kSiteWide{
    "alt-svc",   "clear-site-data",        "nel",
    "report-to", "service-worker-allowed", "strict-transport-security"};

template <class Names>
bool Contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != std::ranges::end(names);
}

// Headers that a Connection header makes private to one hop.
std::vector<std::string> PrivateNames(const std::vector<http::Header>& headers) {
  std::vector<std::string> names;
  for (const http::Header& header : headers) {
    if (header.first != "connection") continue;
    for (std::string_view name : Split(header.second, ',')) names.push_back(Lower(Trim(name)));
  }
  return names;
}

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  for (char c : value) out += c == '\r' || c == '\n' || c == '\0' ? ' ' : c;
  out += "\r\n";
}

// The dashboard's session and the tickets of tools, by whatever prefix a browser knows them.
bool IsOurCookie(std::string_view name) {
  for (std::string_view prefix : {"__Host-", "__Secure-"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  return name.starts_with("gpuyard_");
}

// What tools believe about the caller is said here and by nobody else: a header of any name that is
// made of such a word is not passed on. Many tools read "_" as "-".
bool IsOfIdentity(std::string_view name) {
  constexpr std::array<std::string_view, 21> kWords{
      "addr",   "auth",    "authenticated", "cert", "email", "forwarded", "group",
      "groups", "gpuyard", "identity",      "ip",   "login", "mail",      "principal",
      "remote", "role",    "roles",         "uid",  "user",  "userid",    "username"};
  constexpr std::array<std::string_view, 4> kNames{"x-host", "x-original-host", "x-original-url",
                                                   "x-rewrite-url"};
  if (name == "user-agent" || name == "sec-fetch-user") return false;
  if (name.contains('_') || Contains(kNames, name)) return true;
  return std::ranges::any_of(Split(name, '-'),
                             [&](std::string_view word) { return Contains(kWords, word); });
}

// The tool's own cookies.
std::string WithoutOurs(std::string_view cookies) {
  std::string kept;
  for (std::string_view pair : Split(cookies, ';')) {
    std::string_view name = Trim(pair.substr(0, pair.find('=')));
    if (IsOurCookie(name) || Trim(pair).empty()) continue;
    kept += fmt::format("{}{}", kept.empty() ? "" : "; ", Trim(pair));
  }
  return kept;
}

// A browser's token may come among the sub-protocols; it is not the tool's.
std::string WithoutTokens(std::string_view protocols) {
  std::string kept;
  for (std::string_view item : Split(protocols, ',')) {
    item = Trim(item);
    if (item.empty() || item.starts_with("bearer.") || item.starts_with("page.")) continue;
    kept += fmt::format("{}{}", kept.empty() ? "" : ", ", item);
  }
  return kept;
}

// A cookie of a tool, held within the tool's path. Empty: it must not be set.
std::string HeldWithin(std::string_view cookie, std::string_view prefix) {
  std::string_view name = Trim(cookie.substr(0, cookie.find_first_of("=;")));
  if (IsOurCookie(name) || name.empty()) return {};
  std::string held;
  std::string path(prefix);
  for (std::string_view part : Split(cookie, ';')) {
    part = Trim(part);
    std::string key = Lower(Trim(part.substr(0, part.find('='))));
    if (!held.empty() && key == "domain") continue;
    if (!held.empty() && key == "path") {
      std::string_view wanted = part.substr(std::min(part.find('=') + 1, part.size()));
      bool inside = wanted == prefix || wanted.starts_with(std::string(prefix) + "/");
      if (inside) path = wanted;
      continue;
    }
    held += fmt::format("{}{}", held.empty() ? "" : "; ", part);
  }
  return fmt::format("{}; Path={}", held, path);
}

void PassOn(std::vector<http::Header>& out, const http::ResponseHead& head,
            std::string_view prefix) {
  std::vector<std::string> hidden = PrivateNames(head.headers);
  for (const http::Header& header : head.headers) {
    const std::string& name = header.first;
    if (Contains(kHopByHop, name) || Contains(kTransport, name) || Contains(hidden, name)) continue;
    if (Contains(kSiteWide, name)) continue;
    std::string value = name == "set-cookie" ? HeldWithin(header.second, prefix) : header.second;
    if (!value.empty()) out.emplace_back(name, std::move(value));
  }
}

}  // namespace

std::vector<std::string> ToolTicketsOf(const http::Request& request) {
  std::vector<std::string> tickets;
  for (const http::Header& header : request.headers) {
    if (header.first != "cookie") continue;
    for (std::string_view pair : Split(header.second, ';')) {
      std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos || Trim(pair.substr(0, equals)) != kToolCookie) continue;
      tickets.emplace_back(Trim(pair.substr(equals + 1)));
    }
  }
  return tickets;
}

std::string ToolCookie(std::string_view ticket, std::string_view prefix, Transport transport) {
  return fmt::format("{}={}; Path={}; HttpOnly; SameSite=Lax; Max-Age={}{}", kToolCookie, ticket,
                     prefix, control::kToolTicketLifetime.value / 1'000'000,
                     transport == Transport::kSecure ? "; Secure" : "");
}

namespace {

// What the client sent and the tool may see.
void AppendPassed(std::string& out, const http::Request& request) {
  std::vector<std::string> hidden = PrivateNames(request.headers);
  std::string cookies;
  for (const http::Header& header : request.headers) {
    const std::string& name = header.first;
    if (name == "cookie") cookies += (cookies.empty() ? "" : "; ") + WithoutOurs(header.second);
    if (Contains(kHopByHop, name) || Contains(kOurs, name) || Contains(hidden, name)) continue;
    if (IsOfIdentity(name)) continue;
    bool protocols = name == "sec-websocket-protocol";
    std::string value = protocols ? WithoutTokens(header.second) : header.second;
    if (!protocols || !value.empty()) AppendHeader(out, name, value);
  }
  if (!cookies.empty()) AppendHeader(out, "cookie", cookies);
  if (!request.Find("host")) AppendHeader(out, "host", "localhost");
}

}  // namespace

std::optional<std::string> ToolRequest(const http::Request& request, std::string_view who) {
  if (request.method == http::Method::kOther) return std::nullopt;
  std::string out = fmt::format("{} {} HTTP/1.1\r\n", MethodName(request.method), request.target);
  AppendPassed(out, request);
  std::string_view address = request.peer_address;
  AppendHeader(out, "x-forwarded-for", address.substr(0, address.rfind(':')));
  AppendHeader(out, "x-forwarded-proto", request.secure ? "https" : "http");
  AppendHeader(out, "x-forwarded-host", request.Find("host").value_or(""));
  AppendHeader(out, "x-forwarded-user", who);
  AppendHeader(out, "x-request-id", request.id);
  bool upgrade = http::AsksForWebSocket(request);
  AppendHeader(out, "connection", upgrade ? "Upgrade" : "close");
  if (upgrade) AppendHeader(out, "upgrade", "websocket");
  bool may_have_body = request.method == http::Method::kPost ||
                       request.method == http::Method::kPut ||
                       request.method == http::Method::kPatch;
  if (may_have_body || !request.body.empty()) {
    AppendHeader(out, "content-length", std::to_string(request.body.size()));
  }
  return out + "\r\n" + request.body;
}

http::Reply ReplyFromTool(const http::ResponseHead& head, std::string_view prefix) {
  http::Reply reply;
  reply.status = head.status;
  reply.content_type.clear();
  for (const http::Header& header : head.headers) {
    if (header.first == "content-type") reply.content_type = header.second;
  }
  PassOn(reply.headers, head, prefix);
  return reply;
}

std::string UpgradeHead(const http::ResponseHead& head, std::string_view prefix) {
  std::vector<http::Header> headers{{"Connection", "Upgrade"}, {"Upgrade", "websocket"}};
  PassOn(headers, head, prefix);
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", head.status, http::ReasonPhrase(head.status));
  for (const http::Header& header : headers) AppendHeader(out, header.first, header.second);
  return out + "\r\n";
}

}  // namespace yard::serve
