#include "api/groups.h"
#include "base/strings.h"
#include "serve/server.h"

namespace yard::api {
namespace {

// The journal row to go on from: ?after= or the header a browser sends when it connects again.
Result<std::optional<std::int64_t>> ResumePoint(const Call& call) {
  std::optional<std::string_view> text = call.Query("after");
  if (!text) text = call.request().Find("last-event-id");
  if (!text || text->empty()) return std::nullopt;
  std::optional<std::int64_t> sequence = ParseInt(*text);
  if (sequence && *sequence >= 0) return sequence;
  return Fail(Code::kInvalid, "after (or Last-Event-ID) must be the sequence number of a change");
}

// The caller's credentials are asked again as long as the stream is open: it ends when the token
// expires or is taken back.
control::ChangeFeed::Identify IdentifyOf(Call& call) {
  const http::Request& request = call.request();
  http::Request credentials{.target = request.target,
                            .headers = request.headers,
                            .peer_address = request.peer_address,
                            .peer_credentials = request.peer_credentials};
  return [&server = call.server(), credentials](const control::State& state) {
    const serve::ServerContext& context = server.context();
    return context.authenticator.Authenticate(credentials, state, context.service.Now());
  };
}

Result<Answer> StreamChanges(Call& call) {
  YARD_ASSIGN(std::optional<std::int64_t> after, ResumePoint(call));
  http::Reply reply;
  reply.content_type = "text/event-stream";
  reply.headers.emplace_back("Cache-Control", "no-store");
  reply.body = "retry: 2000\n\n";
  control::ChangeFeed& feed = call.server().feed();
  reply.stream = [&feed, identify = IdentifyOf(call), after](std::shared_ptr<http::Stream> stream) {
    feed.Listen(identify, after,
                [stream](std::string piece) { return stream->Write(std::move(piece)); });
  };
  return reply;
}

}  // namespace

void AddWatchRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/events/stream",
                    SignedIn(),
                    StreamChanges,
                    "Changes the caller may see, as server-sent events",
                    "",
                    "",
                    200,
                    {{"after", "int(0..)"}}});
}

}  // namespace yard::api
