// GPUs held and used, and how long work waited, over time: within what the caller may see.
#include <fmt/format.h>

#include "api/groups.h"
#include "api/usage/views.h"
#include "api/workloads/archive_question.h"
#include "api/workloads/workload_views.h"
#include "base/strings.h"
#include "control/usage/history.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Period;
using control::UsageHistory;
using control::UsageStep;

constexpr std::int64_t kUsualSteps = 120;

void WriteStep(wire::Writer& w, const UsageStep& step) {
  const std::optional<double> busy = step.busy_percent();
  const double held = step.held_milli() / 1000;
  w.Begin();
  w("start", step.period.from);
  w("end", step.period.to);
  w("gpusHeld", held);
  // Of what was measured; nothing is said about the rest.
  w.OrNull("gpusUsed", busy ? std::optional(UsedGpus(step)) : std::nullopt);
  w.OrNull("busyPercent", busy);
  w("started", step.started);
  w.OrNull("waitedSeconds", step.wait_seconds());
  w.OrNull("longestWaitSeconds",
           step.started > 0 ? std::optional(static_cast<double>(step.longest_wait.value) / 1e6)
                            : std::nullopt);
  w.End();
}

std::string Render(const Period& period, const UsageHistory& history) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("start", period.from);
  w("end", period.to);
  w.Key("steps");
  w.BeginList();
  for (const UsageStep& step : history.steps()) {
    w.Item();
    WriteStep(w, step);
  }
  w.EndList();
  w.End();
  return out;
}

Result<Answer> ShowSeries(Call& call) {
  YARD_ASSIGN(Period period, PeriodOf(call));
  const std::int64_t steps =
      ParseInt(call.Query("numberOfSamples").value_or("")).value_or(kUsualSteps);
  auto work = [&call, period, steps]() -> Result<Slow::Outcome> {
    std::optional<std::string_view> project = call.Query("projectName");
    ProjectDirectory names(call);
    UsageHistory history(period, static_cast<std::size_t>(steps), call.now());
    for (Existence which : {Existence::kLive, Existence::kDeleted}) {
      EachVisible(call, names, which, [&](const WorkloadRow& row) {
        if (project && row.names->project != *project) return;
        AddAttempts(call, *row.workload, history);
      });
    }
    YARD_ASSIGN(ArchiveFilter filter,
                HeldInArchive(call, names, {period.from, period.to}, project));
    YARD_TRY(call.state().archive().Each(filter, [&](const ArchivedWorkload& past) -> Status {
      if (!call.state().Find<Workload>(past.workload->id)) AddAttempts(call, past, history);
      return {};
    }));
    call.NeedsNoScope();
    return Json(Render(period, history));
  };
  return Slow{.work = std::move(work)};
}

}  // namespace

void AddUsageSeriesRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/usage/series",
                    May(Action::kRead, Resource::kWorkloads),
                    ShowSeries,
                    "GPUs held and used, and waiting times, over time",
                    "",
                    "UsageSeries",
                    200,
                    {{"start", "time", true},
                     {"end", "time", true},
                     {"numberOfSamples", "int(1..1000)"},
                     {"projectName", "string"}}});
}

}  // namespace yard::api
