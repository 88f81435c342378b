#include "cli/work/watch.h"

#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/work/view.h"

namespace yard::cli {
namespace {

using client::Outcome;

constexpr int kPatience = 300;  // attempts, one second apart, to reach a server that went away

bool WentAway(const client::Failure& failure) {
  return failure.status == 0 || failure.status >= 500;
}

// Asks until a server that went away answers.
Outcome<json::value> AskPatiently(Session& session, const std::string& path,
                                  const std::function<bool()>& stopped) {
  YARD_ASSIGN(client::Client * server, session.Server());
  for (int tries = 0;; ++tries) {
    Outcome<json::value> answer = server->Get(path);
    bool lasting = answer || !WentAway(answer.error());
    if (lasting || tries >= kPatience || (stopped && stopped())) return answer;
    if (session.around().wait) session.around().wait(Seconds(1));
  }
}

// Follows the stream of changes and comes back to it when it breaks. `look` decides on the end.
Outcome<void> Stay(Session& session, const std::function<bool(const client::Event&)>& take,
                   const std::function<bool()>& opened, const std::function<bool()>& stopped = {}) {
  YARD_ASSIGN(client::Client * server, session.Server());
  client::Client follower(server->options());
  int tries = 0;
  bool enough = false;
  auto on_event = [&](const client::Event& event) {
    enough = !take(event);
    return !enough;
  };
  auto on_open = [&] {
    tries = 0;
    enough = !opened();
    return !enough;
  };
  while (true) {
    Outcome<void> done = follower.Follow("/api/v1/events/stream", on_event, on_open, stopped);
    if (enough || (stopped && stopped())) return {};
    bool lasting = !done && !WentAway(done.error());
    if (lasting || ++tries > kPatience) return done;
    if (session.around().wait) session.around().wait(Seconds(1));
  }
}

}  // namespace

Outcome<void> WatchWorkload(Session& session, const std::string& id,
                            const std::function<Going(const json::value&)>& look,
                            const std::function<bool()>& stopped) {
  Outcome<void> problem;
  auto again = [&] {
    Outcome<json::value> workload = AskPatiently(session, "/api/v1/workloads/" + id, stopped);
    if (workload) return look(*workload) == Going::kOn;
    if (workload.error().status == 404) return look(json::value()) == Going::kOn;
    problem = std::unexpected(workload.error());
    return false;
  };
  // Most of the time one look is enough, and no stream is needed.
  if (!again()) return problem;
  auto take = [&](const client::Event& event) {
    Result<json::value> change = ParseJson(event.text);
    return !change || TextAt(*change, "id") != id || again();
  };
  YARD_TRY(Stay(session, take, again, stopped));
  return problem;
}

Outcome<void> WatchAll(Session& session, const std::function<Going()>& look) {
  auto again = [&] { return look() == Going::kOn; };
  return Stay(session, [&](const client::Event&) { return again(); }, again);
}

bool IsCancelled(const json::value& workload) {
  return TextAt(workload, "phase") == "Stopped" && ReasonOf(workload) == "Cancelled";
}

bool HasEnded(const json::value& workload) {
  std::string phase = TextAt(workload, "phase");
  return workload.is_null() || phase == "Completed" || phase == "Failed" || IsCancelled(workload) ||
         !At(workload, "deletedAt").is_null();
}

bool HasStarted(const json::value& workload) {
  std::string phase = TextAt(workload, "phase");
  return HasEnded(workload) || phase == "Running" || phase == "Degraded" || phase == "Stopping" ||
         phase == "Updating" || phase == "Terminating";
}

}  // namespace yard::cli
