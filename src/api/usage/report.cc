// Who held how many GPUs for how long, and how much of that was used.
//
// Counted in thousandths of a GPU times microseconds (gpuTime), so that rows add up to the total;
// hours are the same for people.
#include <map>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/usage/views.h"
#include "api/workloads/archive_question.h"
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

std::string OwnerOf(const ProjectNames& names, const std::string& person, std::string_view by) {
  if (by == "project") return names.project;
  if (by == "department") return names.department;
  return person;
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

  void Add(const WorkloadRow& row, const std::vector<Ptr<Attempt>>& attempts) {
    ReportLine line{.workloads = 1, .sum = {}};
    for (const Ptr<Attempt>& attempt : attempts) {
      line.sum += UsageWithin(*attempt, UseOf(*attempt, live_), period_, call_.now());
    }
    if (line.sum.attempts > 0) Add(OwnerOf(*row.names, row.workload->stamp.created_by, by_), line);
  }

  // Of the archive: what its kept sums tell, and one by one what reaches beyond whole days.
  Status AddArchived(ProjectDirectory& names, std::optional<std::string_view> project) {
    const ArchiveFilter::Span span{period_.from, period_.to};
    YARD_ASSIGN(ArchiveFilter filter, HeldInArchive(call_, names, span, project));
    const control::Archive& archive = call_.state().archive();
    YARD_ASSIGN(std::vector<ArchiveUsage> sums, archive.Sums(filter));
    for (const ArchiveUsage& usage : sums) AddSum(names, usage);
    filter.beyond_whole_days = true;
    return archive.Each(filter, [&](const ArchivedWorkload& past) -> Status {
      if (!call_.state().Find<Workload>(past.workload->id)) {
        Add({past.workload.get(), &names.Of(*past.workload)}, past.attempts);
      }
      return {};
    });
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
  void Add(const std::string& owner, const ReportLine& line) {
    for (ReportLine* into : {&lines_[owner], &total_}) {
      into->workloads += line.workloads;
      into->sum += line.sum;
    }
  }

  void AddSum(ProjectDirectory& names, const ArchiveUsage& usage) {
    Workload of_project;
    of_project.project = usage.project;
    const UsageTotals& totals = usage.totals;
    Add(OwnerOf(names.Of(of_project), usage.owner, by_), {.workloads = usage.workloads,
                                                          .sum = {.attempts = totals.attempts,
                                                                  .time = totals.time,
                                                                  .cpu = totals.cpu,
                                                                  .held = totals.held,
                                                                  .used = totals.used,
                                                                  .idle = totals.idle}});
  }

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
        if (project && row.names->project != *project) return;
        report.Add(row, call.state().AttemptsOf(row.workload->id));
      });
    }
    YARD_TRY(report.AddArchived(names, project));
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
