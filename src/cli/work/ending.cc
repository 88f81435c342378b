#include "cli/work/ending.h"

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

constexpr int kTimeLimit = 124;
constexpr int kNeverRan = 125;
constexpr int kCancelled = 130;
constexpr int kOutOfMemory = 137;
constexpr int kTryAgain = 75;  // preempted, or its machine is lost: nothing is wrong with it
constexpr int kSignalBase = 128;

int StatusOf(const json::value& attempt) {
  std::string cause = TextAt(attempt, "cause");
  if (cause == "Completed") return 0;
  if (cause == "OutOfMemory") return kOutOfMemory;
  if (cause == "TimeLimit" || cause == "Idle") return kTimeLimit;
  if (cause == "LaunchFailed") return kNeverRan;
  if (cause == "Suspended" || cause == "Deleted" || cause == "Cancelled") return kCancelled;
  if (cause == "Preempted" || cause == "NodeLost") return kTryAgain;
  if (auto code = ParseInt(TextAt(attempt, "exitCode")); code && *code != 0)
    return static_cast<int>(*code & 0xff);
  if (auto signal = ParseInt(TextAt(attempt, "signal")))
    return kSignalBase + static_cast<int>(*signal);
  return 1;
}

}  // namespace

Ending EndingOf(const json::value& workload, const json::value& attempt) {
  bool deleted = workload.is_null() || !At(workload, "deletedAt").is_null();
  std::string phase = TextAt(workload, "phase");
  bool has_end = !TextAt(attempt, "cause").empty();
  if (deleted && TextAt(attempt, "cause") != "Completed") return {kCancelled, "it was deleted"};
  if (phase == "Completed") return {};
  if (IsCancelled(workload)) return {kCancelled, TextAt(workload, "phaseMessage")};
  if (!has_end) return {phase == "Failed" ? kNeverRan : 1, TextAt(workload, "phaseMessage")};
  int status = StatusOf(attempt);
  std::string message = TextAt(attempt, "message");
  if (message.empty()) message = TextAt(workload, "phaseMessage");
  if (message.empty()) message = fmt::format("it ended: {}", TextAt(attempt, "cause"));
  if (status == 0 && phase == "Failed") status = 1;
  return {status, status == 0 ? "" : message};
}

Outcome<json::array> AttemptsOf(Session& session, const std::string& id) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value answer, server->Get(fmt::format("/api/v1/workloads/{}/attempts", id)));
  const json::value& list = At(answer, "attempts");
  return list.is_array() ? list.get_array() : json::array();
}

Outcome<Ending> AskEnding(Session& session, const std::string& id, const json::value& workload) {
  Outcome<json::array> attempts = AttemptsOf(session, id);
  if (!attempts && attempts.error().status != 404) return std::unexpected(attempts.error());
  json::value newest;
  if (attempts && !attempts->empty()) newest = attempts->front();
  return EndingOf(workload, newest);
}

Outcome<std::optional<int>> WaitForEnd(Session& session, const json::value& workload) {
  std::string id = TextAt(workload, "id");
  json::value last = workload;
  bool told = false;
  auto look = [&](const json::value& now) {
    last = now;
    if (HasEnded(now)) return Going::kEnough;
    if (TextAt(now, "phase") == "Stopped" && !std::exchange(told, true))
      session.Note(
          fmt::format("{} is suspended; waiting for somebody to resume it", TextAt(now, "name")));
    return Going::kOn;
  };
  Interrupt interrupt;
  YARD_TRY(WatchWorkload(session, id, look, [&interrupt] { return interrupt.came(); }));
  if (interrupt.came() && !HasEnded(last)) {
    session.Note(fmt::format("\nno longer waiting; {} goes on", TextAt(workload, "name")));
    return std::nullopt;
  }
  YARD_ASSIGN(Ending ending, AskEnding(session, id, last));
  if (!ending.message.empty())
    session.Note(fmt::format("{}: {}", TextAt(workload, "name"), ending.message));
  return ending.status;
}

}  // namespace yard::cli
