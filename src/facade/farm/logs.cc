#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/json_text.h"
#include "control/live.h"
#include "facade/farm/ask.h"
#include "facade/farm/routes.h"
#include "serve/live/log_place.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::facade::farm {
namespace {

using serve::Answer;
using serve::Call;
using serve::Slow;

constexpr std::int64_t kMostShown = 4 * 1024 * 1024;
constexpr std::int64_t kMostDownloaded = 16 * 1024 * 1024;

// A task's log, as it is read later on a worker.
struct LogAsk {
  control::Live* live = nullptr;
  control::TaskChoice task;
  Ptr<Attempt> attempt;
  Time now;
  std::int64_t most = 0;
};

Result<LogAsk> ReadAsk(Call& call, std::int64_t most) {
  const std::string_view id = call.Path("task");
  YARD_ASSIGN(Ptr<Workload> workload, TaskOf(call, id));
  LogAsk ask{.live = call.server().context().live,
             .task = {.workload = workload->id},
             .attempt = call.state().NewestAttempt(*workload),
             .now = call.now(),
             .most = most};
  if (ask.live == nullptr) return Fail(Code::kUnavailable, "no engine runs on this server");
  if (!ask.attempt)
    return Fail(Code::kNotFound, fmt::format("task {} has not started: it has no log", id));
  ask.task.attempt = ask.attempt->number;
  return ask;
}

// The last bytes of it, as many as are given at once.
Result<std::string> LastOf(const LogAsk& ask) {
  YARD_ASSIGN(const std::int64_t end, serve::LogEnd(*ask.live, ask.task, ask.now));
  std::int64_t at = std::max<std::int64_t>(0, end - ask.most);
  std::string text;
  while (at < end) {
    YARD_ASSIGN(engine::LogChunk chunk,
                ask.live->ReadLog(ask.task, at, static_cast<std::size_t>(end - at)));
    if (chunk.bytes.empty()) break;
    text += chunk.bytes;
    at = chunk.next;
  }
  return text;
}

std::string LogJson(const LogAsk& ask, std::string_view text) {
  const Attempt& attempt = *ask.attempt;
  const Time from = attempt.started_at.value_or(attempt.placed_at);
  const Time until = attempt.end ? attempt.end->at : ask.now;
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("created_at", static_cast<double>(from.micros) / 1e6);
  w("updated_at", static_cast<double>(until.micros) / 1e6);
  w("logs", text);
  w.End();
  return out;
}

Result<Answer> Show(Call& call) {
  YARD_ASSIGN(LogAsk ask, ReadAsk(call, kMostShown));
  auto work = [ask]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::string text, LastOf(ask));
    return serve::Json(LogJson(ask, text));
  };
  return Slow{.work = std::move(work), .lane = Slow::Lane::kLive};
}

// What strangers' programs wrote: no browser may take it for anything but text.
http::Reply TextReply(std::string text, std::string_view task) {
  http::Reply reply;
  reply.content_type = "text/plain; charset=utf-8";
  reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
  reply.headers.emplace_back("Content-Disposition",
                             fmt::format("attachment; filename={}.txt", task));
  reply.body = std::move(text);
  return reply;
}

Result<Answer> Download(Call& call) {
  YARD_ASSIGN(LogAsk ask, ReadAsk(call, kMostDownloaded));
  auto work = [ask]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::string text, LastOf(ask));
    return TextReply(std::move(text), FormatUuid(ask.task.workload.value));
  };
  return Slow{.work = std::move(work), .lane = Slow::Lane::kLive};
}

}  // namespace

void AddLogRoutes(std::vector<serve::Route>& routes) {
  using http::Method;
  const serve::Need read = serve::May(Action::kRead, Resource::kTrainings);
  routes.insert(routes.end(),
                {{Method::kGet, "/queue/management/logs/{task}", read, Show, "The log of a task"},
                 {Method::kGet, "/queue/management/logs/download/{task}", read, Download,
                  "The log of a task as text"}});
}

}  // namespace yard::facade::farm
