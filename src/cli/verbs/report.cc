// report: who held how many GPUs for how long, and used how much of them.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/print.h"
#include "cli/submit/parse.h"
#include "cli/verb.h"
#include "cli/verbs.h"
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

Outcome<void> Report(Session& session, const ReportArguments& arguments) {
  YARD_ASSIGN(Micros span, ParseDuration(arguments.since));
  YARD_ASSIGN(client::Client * server, session.Server());
  Time now = session.around().clock.Now();
  std::vector<std::pair<std::string, std::string>> query{
      {"by", arguments.by}, {"start", FormatRfc3339(now - span)}, {"end", FormatRfc3339(now)}};
  if (!arguments.project.empty()) query.emplace_back("projectName", arguments.project);
  YARD_ASSIGN(json::value report, server->Get("/api/v1/usage/report", query));
  std::vector<json::value> objects = RowsOf(report);
  return PrintTable(session, objects,
                    ReportTable(arguments.by == "user" ? "USER" : "NAME", report));
}

}  // namespace

void AddReport(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<ReportArguments>();
  Verb verb =
      Verb(app, session).Add("report", "GPU hours held, used and idle, by person or project");
  verb.Text("--by", arguments->by, "user, project or department", "WHAT")
      .Text("--since", arguments->since, "how far back [7d]", "SPAN")
      .Text("-p,--project", arguments->project, "only of this project", "NAME")
      .Format()
      .Examples("gpuyard report --by project --since 30d\ngpuyard report -o csv > usage.csv");
  verb.Run([arguments, &session] { return Report(session, *arguments); });
}

}  // namespace yard::cli
