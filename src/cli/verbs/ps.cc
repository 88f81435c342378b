// ps, history: lists of work.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/submit/parse.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "cli/work/find.h"
#include "cli/work/view.h"
#include "cli/work/watch.h"
#include "model/workload.h"

namespace yard::cli {
namespace {

using client::Outcome;
using Workloads = std::vector<json::value>;

constexpr Micros kRecent = Days(1);

struct PsArguments {
  std::string project;
  std::string phase;
  std::string user;
  bool all = false;
  bool everyone = false;
  bool watch = false;
};

std::string FilterOf(const PsArguments& arguments, const std::string& me) {
  std::vector<std::string> terms;
  if (!arguments.project.empty()) terms.push_back("projectName==" + arguments.project);
  if (!arguments.phase.empty()) terms.push_back("phase==" + arguments.phase);
  if (!arguments.user.empty()) terms.push_back("submittedBy==" + arguments.user);
  if (arguments.user.empty() && !me.empty()) terms.push_back("submittedBy==" + me);
  return Join(terms, ",");
}

void DropOld(Workloads& workloads, Time since) {
  std::erase_if(workloads, [since](const json::value& one) {
    std::optional<Time> end = ParseRfc3339(TextAt(one, "completedAt"));
    return HasEnded(one) && end && *end < since;
  });
}

// The phase as the API spells it, however it was typed.
Result<std::string> PhaseNamed(const std::string& text) {
  constexpr Phase kPhases[] = {Phase::kPending,     Phase::kCreating, Phase::kInitializing,
                               Phase::kRunning,     Phase::kDegraded, Phase::kUpdating,
                               Phase::kStopping,    Phase::kStopped,  Phase::kResuming,
                               Phase::kTerminating, Phase::kFailed,   Phase::kCompleted};
  std::vector<std::string_view> names;
  for (Phase phase : kPhases) {
    if (EqualsIgnoreCase(Name(phase), text)) return std::string(Name(phase));
    names.push_back(Name(phase));
  }
  return Fail(Code::kInvalid, fmt::format("there is no phase '{}'", text),
              fmt::format("phases are {}", fmt::join(names, ", ")));
}

void Print(Session& session, const Workloads& workloads, Columns columns) {
  Console& console = session.console();
  Format format = session.format();
  if (format == Format::kCsv) {
    console.out << RenderCsv(WorkRecords(workloads)) << std::flush;
    return;
  }
  if (format != Format::kTable && format != Format::kWide) {
    PrintObjects(console, **FindKind("workloads"), format, workloads, Shape::kMany);
    return;
  }
  Table rows = PsTable(workloads, format == Format::kTable ? columns : Columns::kAll,
                       session.around().clock.Now());
  if (rows.rows.empty()) {
    console.err << "no workloads; `gpuyard ps -a` shows older ones, -A everybody's\n";
  } else {
    console.out << RenderTable(rows, format == Format::kWide ? 0 : console.width,
                               console.colour ? Colour::kYes : Colour::kNo);
  }
  console.out << std::flush;
}

Outcome<void> ShowOnce(Session& session, const PsArguments& arguments, const std::string& me) {
  const std::string filter = FilterOf(arguments, me);
  // Ended work is shown for a day, so that a result is not missed.
  std::optional<Time> since;
  if (!arguments.all && arguments.phase.empty()) since = session.around().clock.Now() - kRecent;
  const bool rows = session.format() == Format::kTable || session.format() == Format::kWide;
  Workloads found;
  if (rows) {
    YARD_ASSIGN(found, ListFolded(session, filter, since));
  } else {
    YARD_ASSIGN(found, ListWorkloads(session, filter, Existing::kLive));
    if (since) DropOld(found, *since);
  }
  Print(session, found, me.empty() ? Columns::kPeople : Columns::kUsual);
  return {};
}

// Slips in what narrows the list are told before it is asked for.
Outcome<void> CheckNarrowing(Session& session, PsArguments& arguments) {
  if (!arguments.phase.empty()) {
    YARD_ASSIGN(arguments.phase, PhaseNamed(arguments.phase));
  }
  if (!arguments.project.empty()) YARD_TRY(FindProject(session, arguments.project));
  return {};
}

Outcome<void> Ps(Session& session, PsArguments arguments) {
  YARD_TRY(CheckNarrowing(session, arguments));
  std::string me;
  if (!arguments.everyone) {
    YARD_ASSIGN(me, WhoAmI(session));
  }
  if (!arguments.watch) return ShowOnce(session, arguments, me);
  Outcome<void> shown;
  YARD_TRY(WatchAll(session, [&] {
    if (session.console().width > 0) session.console().out << "\x1b[H\x1b[2J";
    shown = ShowOnce(session, arguments, me);
    return shown ? Going::kOn : Going::kEnough;
  }));
  return shown;
}

struct HistoryArguments {
  std::string project;
  std::string since = "7d";
  bool everyone = false;
};

Table HistoryTable(const Workloads& workloads, Time now) {
  Table table{
      .header = {"NAME", "PROJECT", "USER", "GPUS", "SUBMITTED", "ENDED", "PHASE", "REASON", "ID"},
      .rows = {}};
  for (const json::value& one : workloads) {
    std::optional<Time> end = ParseRfc3339(EndOf(one));
    table.rows.push_back(
        {TextAt(one, "name"), TextAt(one, "projectName"), TextAt(one, "submittedBy"), GpusOf(one),
         AgeOf(one, "createdAt", now) + " ago", end ? FormatDuration(now - *end) + " ago" : "-",
         PhaseOf(one), ReasonOf(one), ShortId(one)});
  }
  return table;
}

Outcome<void> History(Session& session, const HistoryArguments& arguments) {
  YARD_ASSIGN(Micros span, ParseDuration(arguments.since));
  Time now = session.around().clock.Now();
  std::string filter = "createdAt>=" + FormatRfc3339(now - span);
  if (!arguments.project.empty()) {
    YARD_TRY(FindProject(session, arguments.project));
    filter += ",projectName==" + arguments.project;
  }
  if (!arguments.everyone) {
    YARD_ASSIGN(std::string me, WhoAmI(session));
    filter += ",submittedBy==" + me;
  }
  YARD_ASSIGN(Workloads found, ListWorkloads(session, filter, Existing::kEver));
  std::ranges::sort(found, std::greater{},
                    [](const json::value& one) { return TextAt(one, "createdAt"); });
  if (session.format() == Format::kCsv) return PrintTable(session, found, WorkRecords(found));
  return PrintTable(session, found, HistoryTable(found, now));
}

}  // namespace

void AddPs(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<PsArguments>();
  Verb verb = Verb(app, session).Add("ps", "List work: yours, running, waiting and just ended");
  verb.Alias("squeue")
      .Flag("-a,--all", arguments->all, "what ended long ago, too")
      .Flag("-A,--all-users", arguments->everyone, "everybody's")
      .Text("-u,--user", arguments->user, "only of this user", "EMAIL")
      .Text("-p,--project", arguments->project, "only in this project", "NAME")
      .Text("--phase", arguments->phase, "only in this phase", "PHASE")
      .Flag("-w,--watch", arguments->watch, "show it again after every change")
      .Format()
      .Examples(
          "gpuyard ps\ngpuyard ps -A -p vision\ngpuyard ps --phase pending -o wide\n"
          "gpuyard ps -o json | jq '.[].name'");
  verb.Run([arguments, &session] {
    if (!arguments->user.empty()) arguments->everyone = true;
    return Ps(session, *arguments);
  });
}

void AddHistory(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<HistoryArguments>();
  Verb verb = Verb(app, session).Add("history", "List what was submitted, deleted work included");
  verb.Alias("sacct")
      .Text("--since", arguments->since, "how far back [7d]", "SPAN")
      .Text("-p,--project", arguments->project, "only in this project", "NAME")
      .Flag("-A,--all-users", arguments->everyone, "everybody's")
      .Format()
      .Examples("gpuyard history --since 30d\ngpuyard history -A -p vision -o csv > vision.csv");
  verb.Run([arguments, &session] { return History(session, *arguments); });
}

}  // namespace yard::cli
