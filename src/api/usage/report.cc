// Who held how many GPUs for how long, and how much of that was used.
//
// Counted in thousandths of a GPU times microseconds (gpuTime), so that rows add up to the total;
// hours are the same for people.
#include <map>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/usage/views.h"
#include "api/workloads/workload_views.h"
#include "control/usage/sum.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Period;
using control::UsageSum;

constexpr double kMicrosPerHour = 3'600'000'000.0;

struct ReportLine {
  std::int64_t workloads = 0;
  UsageSum sum;
};

std::string OwnerOf(const WorkloadRow& row, std::string_view by) {
  if (by == "project") return row.names->project;
  if (by == "department") return row.names->department;
  return row.workload->stamp.created_by;
}

void WriteGpuHours(wire::Writer& w, const UsageSum& sum) {
  auto hours = [](GpuTime time) { return static_cast<double>(time.value) / 1000 / kMicrosPerHour; };
  w.Key("gpuHours");
  w.Begin();
  w("held", hours(sum.held));
  w("used", hours(sum.used));
  w("idle", hours(sum.idle));
  w("notMeasured", hours(sum.not_measured()));
  w.End();
  w.Key("gpuTime");
  w.Begin();
  w("held", sum.held);
  w("used", sum.used);
  w("idle", sum.idle);
  w("notMeasured", sum.not_measured());
  w.End();
}

void WriteLine(wire::Writer& w, const std::string& name, const ReportLine& line) {
  w.Begin();
  w("name", name);
  w("workloads", line.workloads);
  w("attempts", line.sum.attempts);
  w("hours", static_cast<double>(line.sum.time.value) / kMicrosPerHour);
  w("cpuHours", static_cast<double>(line.sum.cpu.value) / kMicrosPerHour);
  WriteGpuHours(w, line.sum);
  w.End();
}

class Report {
 public:
  Report(Call& call, std::string_view by, const Period& period)
      : call_(call), by_(by), period_(period), live_(call.server().context().live) {}

  void Add(const WorkloadRow& row) {
    ReportLine line{.workloads = 1, .sum = {}};
    for (const Ptr<Attempt>& attempt : call_.state().AttemptsOf(row.workload->id)) {
      line.sum += UsageWithin(*attempt, UseOf(*attempt, live_), period_, call_.now());
    }
    if (line.sum.attempts == 0) return;
    for (ReportLine* into : {&lines_[OwnerOf(row, by_)], &total_}) {
      into->workloads += 1;
      into->sum += line.sum;
    }
  }

  std::string Render() const {
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w("by", by_);
    w("start", period_.from);
    w("end", period_.to);
    w.Key("rows");
    w.BeginList();
    for (const auto& [name, line] : lines_) {
      w.Item();
      WriteLine(w, name, line);
    }
    w.EndList();
    w.Key("total");
    WriteLine(w, "total", total_);
    w.End();
    return out;
  }

 private:
  Call& call_;
  const std::string_view by_;
  const Period period_;
  control::Live* const live_;
  std::map<std::string, ReportLine> lines_;
  ReportLine total_;
};

Result<Answer> ReportUsage(Call& call) {
  std::string_view by = call.Query("by").value_or("user");
  if (by != "user" && by != "project" && by != "department") {
    return Fail(Code::kInvalid, "by must be user, project or department");
  }
  YARD_ASSIGN(Period period, PeriodOf(call));
  auto work = [&call, by, period]() -> Result<Slow::Outcome> {
    std::optional<std::string_view> project = call.Query("projectName");
    ProjectDirectory names(call);
    Report report(call, by, period);
    for (Existence which : {Existence::kLive, Existence::kDeleted}) {
      EachVisible(call, names, which, [&](const WorkloadRow& row) {
        if (!project || row.names->project == *project) report.Add(row);
      });
    }
    call.NeedsNoScope();
    return Json(report.Render());
  };
  return Slow{.work = std::move(work)};
}

}  // namespace

void AddUsageReportRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/usage/report",
                    May(Action::kRead, Resource::kWorkloads),
                    ReportUsage,
                    "GPU hours held, used and idle, by user, project or department",
                    "",
                    "UsageReport",
                    200,
                    {{"by", "user|project|department"},
                     {"start", "time", true},
                     {"end", "time", true},
                     {"projectName", "string"}}});
}

}  // namespace yard::api
