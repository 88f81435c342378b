#include <algorithm>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "serve/live/follower.h"
#include "serve/live/log_place.h"

namespace yard::api {
namespace {

using control::Live;
using control::TaskChoice;

constexpr std::int64_t kUsualLimit = 4 * 1024 * 1024;
constexpr std::int64_t kMostBytes = 16 * 1024 * 1024;

// Where a reader wants to begin: exactly one of them, or the beginning.
struct LogQuery {
  TaskChoice task;
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> tail;
  std::optional<Time> since;
  std::size_t limit = kUsualLimit;
  bool follow = false;
  Time now;
};

Result<std::optional<Time>> SinceOf(const Call& call) {
  if (std::optional<std::string_view> text = call.Query("sinceTime")) {
    std::optional<Time> time = ParseRfc3339(*text);
    if (time) return time;
    return Fail(Code::kInvalid, "sinceTime must be a time such as 2026-11-15T08:30:00Z");
  }
  std::optional<std::string_view> text = call.Query("since");
  if (!text) return std::nullopt;
  std::optional<Micros> span = serve::ParseSpan(*text);
  if (span) return call.now() - *span;
  return Fail(Code::kInvalid, "since must be a span of time such as 90s, 5m, 2h or 1d");
}

Result<LogQuery> ReadQuery(Call& call, const Workload& workload) {
  LogQuery query{.follow = call.Query("follow") == "true", .now = call.now()};
  YARD_ASSIGN(query.task, TaskOf(call, workload));
  // The newest attempt stays the one that is read, also if another begins meanwhile.
  if (auto attempts = call.state().AttemptsOf(workload.id);
      !query.task.attempt && !attempts.empty()) {
    query.task.attempt = attempts.back()->number;
  }
  YARD_ASSIGN(query.offset, NumberOf(call, "offset", 0));
  YARD_ASSIGN(query.tail, NumberOf(call, "tail", 0));
  YARD_ASSIGN(query.since, SinceOf(call));
  YARD_ASSIGN(std::optional<std::int64_t> limit, NumberOf(call, "limit", 1));
  query.limit = static_cast<std::size_t>(std::min(limit.value_or(kUsualLimit), kMostBytes));
  if (call.Query("timestamps") == "true") {
    return Fail(Code::kUnsupported, "the log keeps no time for each line",
                "leave out timestamps; since and sinceTime work");
  }
  return query;
}

Result<std::int64_t> Beginning(Live& live, const LogQuery& query) {
  if (query.offset) return *query.offset;
  if (query.tail) {
    YARD_ASSIGN(std::int64_t tail, serve::TailOffset(live, query.task, *query.tail, query.now));
    if (!query.since) return tail;
    YARD_ASSIGN(std::int64_t since, live.LogOffsetAt(query.task, *query.since));
    return std::max(tail, since);
  }
  if (query.since) return live.LogOffsetAt(query.task, *query.since);
  return 0;
}

// Logs are what strangers' programs wrote: no browser may take them for anything but text.
http::Reply TextReply() {
  http::Reply reply;
  reply.content_type = "text/plain; charset=utf-8";
  reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
  reply.headers.emplace_back("Cache-Control", "no-store");
  return reply;
}

http::Reply ChunkReply(engine::LogChunk chunk) {
  http::Reply reply = TextReply();
  reply.headers.emplace_back("Gpuyard-Log-Offset", std::to_string(chunk.offset));
  reply.headers.emplace_back("Gpuyard-Log-Next", std::to_string(chunk.next));
  reply.headers.emplace_back("Gpuyard-Log-End", chunk.at_end ? "true" : "false");
  reply.body = std::move(chunk.bytes);
  return reply;
}

Result<http::Reply> FollowReply(Live& live, serve::LiveThreads& threads, const LogQuery& query,
                                std::int64_t offset) {
  // The first piece is read here, so that what is wrong is still told by a status.
  YARD_ASSIGN(engine::LogChunk chunk, live.ReadLog(query.task, offset, query.limit));
  std::int64_t next = chunk.next;
  http::Reply reply = ChunkReply(std::move(chunk));
  reply.stream = [&live, &threads, task = query.task, next](std::shared_ptr<http::Stream> stream) {
    serve::FollowLog(live, threads, task, next, std::move(stream));
  };
  return reply;
}

Result<Answer> ReadLogs(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, AllowedWorkload(call));
  YARD_ASSIGN(LogQuery query, ReadQuery(call, *workload));
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([live, query, &threads = ThreadsOf(call)]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::int64_t offset, Beginning(*live, query));
    if (query.follow) {
      YARD_ASSIGN(http::Reply reply, FollowReply(*live, threads, query, offset));
      return reply;
    }
    YARD_ASSIGN(engine::LogChunk chunk, live->ReadLog(query.task, offset, query.limit));
    return ChunkReply(std::move(chunk));
  });
}

}  // namespace

void AddLiveLogRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/workloads/{workloadId}/logs",
                    MayByKind(Action::kRead),
                    ReadLogs,
                    "A task's log as text, or with follow=true as a stream until it has ended",
                    "",
                    "",
                    200,
                    {{"attempt", "int(1..)"},
                     {"rank", "int(0..)"},
                     {"offset", "int(0..)"},
                     {"limit", "int(1..)"},
                     {"since", "string"},
                     {"sinceTime", "time"},
                     {"tail", "int(0..)"},
                     {"timestamps", "bool"},
                     {"follow", "bool"}}});
}

}  // namespace yard::api
