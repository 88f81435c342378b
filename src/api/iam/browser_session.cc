// What browsers need besides the rest: the end of a page's session, and the way to tools.
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "serve/page_session.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

Result<Answer> EndSession(Call&) {
  http::Reply reply = Empty(204);
  reply.headers = serve::ForgetSession();
  return reply;
}

Result<Answer> OpenTool(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  std::string_view target(body.at("path").get_string());
  YARD_ASSIGN(std::string url, call.server().tools().Link(call.request(), call.who(), target));
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("url", url);
  w.End();
  http::Reply reply = Json(std::move(out));
  reply.headers.emplace_back("Cache-Control", "no-store");
  return reply;
}

}  // namespace

void AddBrowserSessionRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(routes.end(),
                {{kPost, "/api/v1/tools", SignedIn(), OpenTool,
                  "A link that opens the tool of a workload in a browser; good once, for a minute",
                  "ToolLinkRequest", "ToolLink"},
                 {kDelete, "/api/v1/session", Public(), EndSession,
                  "Take back the cookie of the dashboard's session", "", "", 204}});
}

}  // namespace yard::api
