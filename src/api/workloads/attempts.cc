#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "control/commands/workloads.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

// Each once, in the order of the ranks.
std::vector<std::string> NodesOf(const Attempt& attempt) {
  std::vector<std::string> nodes;
  for (const TaskPlace& place : attempt.places) {
    if (std::ranges::find(nodes, place.node) == nodes.end()) nodes.push_back(place.node);
  }
  return nodes;
}

std::vector<std::string> GpusOf(const Attempt& attempt) {
  std::vector<std::string> gpus;
  for (const TaskPlace& place : attempt.places) {
    gpus.insert(gpus.end(), place.gpus.begin(), place.gpus.end());
  }
  return gpus;
}

void WriteRanks(wire::Writer& w, const Attempt& attempt) {
  w.Key("ranks");
  w.BeginList();
  for (const TaskPlace& place : attempt.places) {
    w.Item();
    w.Begin();
    w("node", place.node);
    w("gpus", place.gpus);
    w.End();
  }
  w.EndList();
}

// "vision/paper", if the caller may see the work that the place was cleared for; or else as its
// owner may know it.
std::string ByWhom(const Call& call, const Workload& stopped, const StopOrder& stop) {
  Ptr<Workload> other =
      stop.for_workload ? call.state().Find<Workload>(*stop.for_workload) : nullptr;
  if (!other || other->project == stopped.project) return stop.by;
  const bool sees = control::Authorize(call.state(), call.who(), control::ResourceOf(other->type),
                                       Action::kRead, call.state().PathOf(*other))
                        .has_value();
  Ptr<Project> project = sees ? call.state().Find<Project>(other->project) : nullptr;
  return project ? fmt::format("{}/{}", project->name, other->name) : stop.by;
}

void WriteStop(wire::Writer& w, const Call& call, const Workload& workload,
               const std::optional<StopOrder>& stop) {
  w.Key("stop");
  if (!stop) return w.Null();
  w.Begin();
  w("cause", Name(stop->cause));
  w("by", ByWhom(call, workload, *stop));
  w("rule", stop->rule);
  w("at", stop->at);
  w.End();
}

void WriteAttempt(wire::Writer& w, const Call& call, const Workload& workload,
                  const Attempt& attempt) {
  const std::optional<AttemptEnd>& end = attempt.end;
  w.Begin();
  w("number", attempt.number);
  w("id", attempt.id);
  w("placedAt", attempt.placed_at);
  w.OrNull("startedAt", attempt.started_at);
  w.OrNull("endedAt", end ? std::optional(end->at) : std::nullopt);
  w.OrNull("cause", end ? std::optional(Name(end->cause)) : std::nullopt);
  w.OrNull("exitCode", end ? end->exit_code : std::nullopt);
  w.OrNull("signal", end ? end->signal : std::nullopt);
  w("message", end ? end->message : std::string());
  w("nodes", NodesOf(attempt));
  w("gpus", GpusOf(attempt));
  WriteRanks(w, attempt);
  w("residence", Name(attempt.residence));
  w("awaySeconds", AwayUntil(attempt, call.now()).value / 1'000'000);
  WriteStop(w, call, workload, attempt.stop);
  w.End();
}

Result<Answer> ListAttempts(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, AllowedWorkload(call));
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w.Key("attempts");
  w.BeginList();
  for (const Ptr<Attempt>& attempt : call.state().AttemptsOf(workload->id) | std::views::reverse) {
    w.Item();
    WriteAttempt(w, call, *workload, *attempt);
  }
  w.EndList();
  w.End();
  return Json(std::move(out));
}

}  // namespace

void AddAttemptRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet, "/api/v1/workloads/{workloadId}/attempts",
                    MayByKind(Action::kRead), ListAttempts, "A workload's attempts, newest first",
                    "", "AttemptList"});
}

}  // namespace yard::api
