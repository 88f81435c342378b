// The session of a browser, for the tools behind the proxy: a cookie that no script can read.
#include "api/groups.h"
#include "api/handler.h"
#include "base/strings.h"
#include "serve/proxy/headers.h"

namespace yard::api {
namespace {

Result<Answer> OpenSession(Call& call) {
  std::string_view header = call.request().Find("authorization").value_or("");
  std::size_t space = header.find(' ');
  bool bearer =
      space != std::string_view::npos && EqualsIgnoreCase(header.substr(0, space), "bearer");
  std::string_view token = bearer ? Trim(header.substr(space + 1)) : std::string_view();
  if (token.empty()) {
    return Fail(Code::kInvalid, "a session is opened with a token",
                "send the header 'Authorization: Bearer TOKEN'");
  }
  http::Reply reply = Empty(204);
  reply.headers.emplace_back("Set-Cookie", serve::SessionCookie(token, call.request()));
  reply.headers.emplace_back("Cache-Control", "no-store");
  return reply;
}

Result<Answer> EndSession(Call& call) {
  http::Reply reply = Empty(204);
  reply.headers.emplace_back("Set-Cookie", serve::SessionCookie("", call.request()));
  return reply;
}

}  // namespace

void AddBrowserSessionRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(
      routes.end(),
      {{kPost, "/api/v1/session", SignedIn(), OpenSession,
        "Set the cookie that opens the tools of workloads to a browser", "", "", 204},
       {kDelete, "/api/v1/session", Public(), EndSession, "Take that cookie back", "", "", 204}});
}

}  // namespace yard::api
