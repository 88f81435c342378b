// report: who held how many GPUs for how long.
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/print.h"
#include "cli/submit/parse.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/ending.h"
#include "cli/work/find.h"
#include "cli/work/usage.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

struct ReportArguments {
  std::string by = "user";
  std::string since = "7d";
  std::string project;
};

Result<std::string> FieldOf(const std::string& by) {
  if (by == "user") return "submittedBy";
  if (by == "project") return "projectName";
  if (by == "department") return "departmentName";
  return Fail(Code::kInvalid, fmt::format("'{}' cannot be reported by", by),
              "user, project or department");
}

Outcome<void> Report(Session& session, const ReportArguments& arguments) {
  YARD_ASSIGN(std::string field, FieldOf(arguments.by));
  YARD_ASSIGN(Micros span, ParseDuration(arguments.since));
  Time now = session.around().clock.Now();
  Period period{now - span, now};
  std::string filter = arguments.project.empty() ? "" : "projectName==" + arguments.project;
  YARD_ASSIGN(std::vector<json::value> all, ListWorkloads(session, filter, Existing::kEver));
  std::map<std::string, UsageSum> sums;
  UsageSum total;
  for (const json::value& one : all) {
    std::optional<Time> end = ParseRfc3339(TextAt(one, "completedAt"));
    if (end && *end < period.from) continue;
    YARD_ASSIGN(json::array attempts, AttemptsOf(session, TextAt(one, "id")));
    UsageSum usage = UsageOf(one, attempts, period);
    if (usage.attempts == 0) continue;
    Add(sums[TextAt(one, field)], usage);
    Add(total, usage);
  }
  Table table{.header = {arguments.by == "user" ? "USER" : "NAME", "WORKLOADS", "ATTEMPTS", "HOURS",
                         "GPU HOURS"},
              .rows = {}};
  std::vector<json::value> objects;
  sums.emplace("total", total);
  for (const auto& [who, sum] : sums) {
    table.rows.push_back({who, std::to_string(sum.workloads), std::to_string(sum.attempts),
                          sum.Hours(), sum.GpuHours()});
    objects.push_back({{"name", who},
                       {"workloads", sum.workloads},
                       {"attempts", sum.attempts},
                       {"hours", sum.Hours()},
                       {"gpuHours", sum.GpuHours()}});
  }
  return PrintTable(session, objects, table);
}

}  // namespace

void AddReport(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ReportArguments>();
  Verb verb = Verb(app, session).Add("report", "GPU hours that were held, by person or project");
  verb.Text("--by", arguments->by, "user, project or department", "WHAT")
      .Text("--since", arguments->since, "how far back [7d]", "SPAN")
      .Text("-p,--project", arguments->project, "only of this project", "NAME")
      .Format()
      .Examples("gpuyard report --by project --since 30d\ngpuyard report -o csv > usage.csv");
  verb.Run([arguments, &session] { return Report(session, *arguments); });
}

}  // namespace yard::cli
