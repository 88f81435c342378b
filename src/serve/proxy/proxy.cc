#include "serve/proxy/proxy.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "control/commands/workloads.h"
#include "control/live.h"
#include "http/url.h"
#include "serve/call.h"
#include "serve/proxy/exchange.h"
#include "serve/proxy/headers.h"
#include "serve/proxy/target.h"
#include "serve/server.h"

namespace yard::serve {
namespace {

// The request as the authenticator knows them: the cookie stands for the header.
http::Request WithToken(const http::Request& request, const std::optional<std::string>& cookie) {
  http::Request shown{.method = request.method,
                      .target = request.target,
                      .headers = request.headers,
                      .peer_address = request.peer_address,
                      .peer_credentials = request.peer_credentials,
                      .id = request.id,
                      .secure = request.secure};
  if (!cookie) return shown;
  std::erase_if(shown.headers, [](const http::Header& h) { return h.first == "authorization"; });
  shown.headers.emplace_back("authorization", "Bearer " + *cookie);
  return shown;
}

struct Admitted {
  Tool tool;
  std::string who;
};

Result<Admitted> Admit(const ServerContext& context, const http::Request& shown,
                       const control::State& state, const Workload& workload) {
  YARD_ASSIGN(control::Principal who,
              context.authenticator.Authenticate(shown, state, context.service.Now()));
  // Dots would lead a careless tool out of its own paths.
  YARD_TRY(http::SplitPath(shown.path()));
  ScopePath where = state.PathOf(workload);
  YARD_TRY(
      control::Authorize(state, who, control::ResourceOf(workload.type), Action::kRead, where));
  YARD_ASSIGN(Tool tool, ToolOf(workload));
  YARD_TRY(MayUse(state, who, workload, tool));
  if (context.live == nullptr) {
    return Fail(Code::kUnavailable, "no engine runs on this server, so no work can be reached",
                "start the server with an engine");
  }
  return Admitted{std::move(tool), who.id};
}

}  // namespace

bool Proxy::Take(http::Request& request, http::Respond& respond) {
  control::Snapshot state = context_.service.Read();
  std::optional<ToolPlace> place = FindToolPlace(*state, request.path());
  if (!place) return false;
  std::optional<std::string> cookie = SessionCookieOf(request);
  if (!cookie && !request.Find("authorization") && !request.peer_credentials) return false;
  Result<Admitted> admitted = Admit(context_, WithToken(request, cookie), *state, *place->workload);
  if (!admitted) {
    respond(ErrorReply(admitted.error()));
    return true;
  }
  std::optional<std::string> bytes = ToolRequest(request, admitted->who);
  if (!bytes) {
    respond(ErrorReply({Code::kUnsupported, "this method is not passed on to tools"}));
    return true;
  }
  ToolCall call{.request = std::move(*bytes),
                .method = request.method,
                .prefix = std::move(place->prefix),
                .browser = request.waiter};
  auto answer = std::make_shared<http::Respond>(std::move(respond));
  auto connect = [this, answer, call = std::move(call), id = place->workload->id,
                  port = admitted->tool.port]() mutable {
    Result<UniqueFd> stream = context_.live->ConnectPort({.workload = id}, port);
    if (!stream) return (*answer)(ErrorReply(stream.error(), 502));
    ExchangeWithTool(threads_, *std::move(stream), std::move(call), std::move(*answer));
  };
  if (threads_.calls.Post(std::move(connect))) return true;
  (*answer)(ErrorReply({Code::kUnavailable, "too many requests are waiting", "try again"}));
  return true;
}

}  // namespace yard::serve
