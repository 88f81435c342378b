#include "cli/work/logs.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/work/watch.h"

namespace yard::cli {
namespace {

using client::Outcome;

constexpr int kPatience = 300;  // seconds to wait for a server that went away

client::Request RequestFor(const std::string& id, const LogChoice& choice) {
  client::Request request{.path = fmt::format("/api/v1/workloads/{}/logs", id)};
  auto add = [&request](const char* name, std::string value) {
    request.query.emplace_back(name, std::move(value));
  };
  if (choice.attempt) add("attempt", std::to_string(*choice.attempt));
  if (choice.rank != 0) add("rank", std::to_string(choice.rank));
  if (choice.tail) add("tail", std::to_string(*choice.tail));
  if (choice.limit) add("limit", std::to_string(*choice.limit));
  if (!choice.since.empty()) add("sinceTime", choice.since);
  if (choice.timestamps) add("timestamps", "true");
  return request;
}

std::int64_t NumberOf(const json::value& attempt) {
  return ParseInt(TextAt(attempt, "number")).value_or(0);
}

// The newest attempt's number; 0: there is none yet.
Outcome<std::int64_t> NewestAttempt(Session& session, const std::string& id) {
  YARD_ASSIGN(json::array attempts, AttemptsOf(session, id));
  return attempts.empty() ? 0 : NumberOf(attempts.front());
}

// Waits for an attempt after `seen` that runs, or for the end. True: there is one.
struct Next {
  std::int64_t attempt = 0;
  json::value last;  // the workload as it was seen last
};
Outcome<Next> WaitForNext(Session& session, const std::string& id, std::int64_t seen,
                          const Interrupt& interrupt) {
  Next next;
  Outcome<void> problem;
  std::string told;
  auto look = [&](const json::value& workload) {
    next.last = workload;
    std::string phase = TextAt(workload, "phase");
    if (std::string now = phase + TextAt(workload, "phaseMessage");
        now != told && phase != "Running")
      session.Hint(fmt::format("{}: {}", phase, TextAt(workload, "phaseMessage")));
    told = phase + TextAt(workload, "phaseMessage");
    if (!HasStarted(workload)) return Going::kOn;
    Outcome<std::int64_t> newest = NewestAttempt(session, id);
    if (!newest) problem = std::unexpected(newest.error());
    next.attempt = newest.value_or(0);
    bool enough = !newest || next.attempt > seen || HasEnded(workload);
    return enough ? Going::kEnough : Going::kOn;
  };
  YARD_TRY(WatchWorkload(session, id, look, [&interrupt] { return interrupt.came(); }));
  YARD_TRY(problem);
  return next;
}

Outcome<Followed> Follow(Session& session, const std::string& id, const LogChoice& choice,
                         const LogSink& sink, const Interrupt& interrupt) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const LogFollower follower{.options = server->options(),
                             .wait = session.around().wait,
                             .cancelled = [&interrupt] { return interrupt.came(); }};
  return follower.Follow(id, choice, sink);
}

}  // namespace

Outcome<Followed> LogFollower::Follow(const std::string& id, const LogChoice& choice,
                                      const LogSink& sink) const {
  client::Client follower(options);
  std::optional<std::int64_t> next;  // where to go on after a broken stream
  for (int tries = 0;; ++tries) {
    client::Request request = RequestFor(id, next ? LogChoice{.attempt = choice.attempt,
                                                              .rank = choice.rank,
                                                              .timestamps = choice.timestamps}
                                                  : choice);
    request.query.emplace_back("follow", "true");
    if (next) request.query.emplace_back("offset", std::to_string(*next));
    auto head = [&](const client::Reply& reply) {
      tries = 0;
      if (auto offset = ParseInt(reply.Find("gpuyard-log-offset"))) next = *offset;
    };
    auto take = [&](std::string_view piece) {
      if (next) *next += static_cast<std::int64_t>(piece.size());
      sink(piece);
      return true;
    };
    Outcome<client::Reply> done =
        follower.Download(request, {.head = head, .take = take, .cancelled = cancelled});
    if (cancelled()) return Followed::kInterrupted;
    if (done) return Followed::kToTheEnd;
    bool gone_away = done.error().status == 0 || done.error().status == 503;
    if (!gone_away || tries >= kPatience) return std::unexpected(done.error());
    if (wait) wait(Seconds(1));
  }
}

Outcome<void> ReadLog(Session& session, const std::string& id, const LogChoice& choice,
                      const LogSink& sink) {
  YARD_ASSIGN(client::Client * server, session.Server());
  client::Request request = RequestFor(id, choice);
  // The server answers in pieces; what it says to ask for next follows on.
  while (true) {
    bool some = false;
    std::string next;
    auto head = [&next](const client::Reply& reply) { next = reply.Find("gpuyard-log-next"); };
    auto take = [&](std::string_view piece) {
      some = some || !piece.empty();
      sink(piece);
      return true;
    };
    YARD_TRY(server->Download(request, {.head = head, .take = take}));
    if (!some || next.empty() || choice.limit) return {};
    request = RequestFor(id, {.attempt = choice.attempt, .rank = choice.rank});
    request.query.emplace_back("offset", next);
  }
}

Outcome<Followed> FollowLog(Session& session, const std::string& id, const LogChoice& choice,
                            const LogSink& sink) {
  Interrupt interrupt;
  return Follow(session, id, choice, sink, interrupt);
}

Outcome<Watched> FollowToEnd(Session& session, const std::string& id, const LogSink& sink) {
  Interrupt interrupt;
  std::int64_t seen = 0;
  while (true) {
    YARD_ASSIGN(Next next, WaitForNext(session, id, seen, interrupt));
    if (interrupt.came()) return Watched{.started = seen > 0};
    if (next.attempt > seen) {
      // Short ones may have ended before anybody looked; each is shown.
      if (++seen > 1) session.Note(fmt::format("attempt {} starts", seen));
      Outcome<Followed> followed = Follow(session, id, {.attempt = seen}, sink, interrupt);
      // What never ran has no log; its end says why.
      if (!followed && followed.error().error.code != Code::kPrecondition)
        return std::unexpected(followed.error());
      if (followed && *followed == Followed::kInterrupted) return Watched{.started = true};
      continue;
    }
    YARD_ASSIGN(Ending ending, AskEnding(session, id, next.last));
    return Watched{.ending = ending, .started = seen > 0};
  }
}

void LineFilter::Take(std::string_view bytes) {
  if (word_.empty()) return next_(bytes);
  rest_ += bytes;
  std::size_t start = 0;
  for (std::size_t end = rest_.find('\n'); end != std::string::npos;
       end = rest_.find('\n', start)) {
    std::string_view line = std::string_view(rest_).substr(start, end + 1 - start);
    if (ContainsIgnoreCase(line, word_)) next_(line);
    start = end + 1;
  }
  rest_.erase(0, start);
}

void LineFilter::Finish() {
  if (!rest_.empty() && ContainsIgnoreCase(rest_, word_)) next_(rest_);
  rest_.clear();
}

void LinePrefix::Take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (std::exchange(at_start_, false)) next_(prefix_);
    std::size_t end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end == bytes.npos ? bytes.size() : end + 1);
    next_(line);
    at_start_ = end != bytes.npos;
    bytes.remove_prefix(line.size());
  }
}

void LinePrefix::Finish() {
  if (!at_start_) next_("\n");
  at_start_ = true;
}

}  // namespace yard::cli
