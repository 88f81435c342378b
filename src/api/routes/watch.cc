#include "api/routes/groups.h"
#include "api/server.h"
#include "base/strings.h"

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

Result<Answer> StreamChanges(Call& call) {
  YARD_ASSIGN(std::optional<std::int64_t> after, ResumePoint(call));
  http::Reply reply;
  reply.content_type = "text/event-stream";
  reply.headers.emplace_back("Cache-Control", "no-store");
  reply.body = "retry: 2000\n\n";
  control::ChangeFeed& feed = call.server().feed();
  reply.stream = [&feed, who = call.who(), after](std::shared_ptr<http::Stream> stream) {
    feed.Listen(who, after,
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
