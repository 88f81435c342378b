// list, describe and top of the first grammar.
#include <algorithm>
#include <map>
#include <memory>
#include <ostream>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/runai/show.h"
#include "cli/runai/views.h"
#include "cli/runai/work.h"
#include "cli/work/find.h"
#include "cli/work/gpus.h"
#include "cli/work/view.h"

namespace yard::cli::runai {
namespace {

using client::Failure;
using client::Outcome;

struct OldArguments {
  std::vector<std::string> words;  // "job NAME", "nodes", "NAME"
  std::string project;
  std::string output;
  bool everywhere = false;
  bool details = false;
  bool events = true;
};

std::string NounOf(const OldArguments& arguments) {
  std::string word = arguments.words.empty() ? "jobs" : Lower(arguments.words[0]);
  if (!word.ends_with('s')) word += 's';
  return word;
}

void Show(Session& session, const Table& table) {
  session.console().out << RenderTable(table, session.console().width, Colour::kNo);
}

Outcome<void> ListProjects(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(auto projects, ListObjects(*server, **FindKind("projects"), {}));
  YARD_ASSIGN(Profile * profile, session.profile());
  Table table{.header = {"PROJECT", "DEPARTMENT", "DESERVED GPUs", "INT LIMIT", "INT AFFINITY",
                         "TRAIN AFFINITY"},
              .rows = {}};
  for (const json::value& one : projects) {
    std::string name = TextAt(one, "name");
    if (name == profile->project) name += " (default)";
    table.rows.push_back({name, TextAt(one, "parent.name"), TextAt(one, "totalResources.gpuQuota"),
                          TextAt(one, "schedulingRules.interactiveJobTimeLimitSeconds"),
                          TextAt(one, "nodeTypes.workspace"), TextAt(one, "nodeTypes.training")});
  }
  Show(session, table);
  return {};
}

// How many GPUs of each node new work may have; nothing where the server does not tell.
std::map<std::string, int> FreeGpus(client::Client& server) {
  std::map<std::string, int> free;
  const Outcome<json::value> answer = server.Get("/api/v1/gpus");
  if (!answer || !At(*answer, "gpus").is_array()) return free;
  for (const json::value& gpu : At(*answer, "gpus").get_array()) {
    free[TextAt(gpu, "node")] += IsFree(gpu) ? 1 : 0;
  }
  return free;
}

Outcome<void> ListNodes(Session& session, const std::vector<std::string>& names) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(auto nodes, ListObjects(*server, **FindKind("nodes"), {}));
  Table table{.header = {"NAME", "STATUS", "POOL", "GPU TYPE", "GPUs", "FREE GPUs"}, .rows = {}};
  const std::map<std::string, int> free = FreeGpus(*server);
  for (const json::value& one : nodes) {
    std::string name = TextAt(one, "name");
    bool wanted = names.empty() || std::ranges::find(names, name) != names.end();
    if (!wanted) continue;
    const auto count = free.find(name);
    table.rows.push_back({name, NodeStatusOf(one), TextAt(one, "nodePool"),
                          TextAt(one, "gpuInfo.gpuType"), TextAt(one, "gpuInfo.gpuCount"),
                          count == free.end() ? "" : std::to_string(count->second)});
  }
  for (const std::string& name : names) {
    auto shown = [&name](const auto& row) { return row.front() == name; };
    if (std::ranges::none_of(table.rows, shown))
      return std::unexpected(Failure(
          {Code::kNotFound, fmt::format("there is no node '{}'", name), "see `runai list nodes`"}));
  }
  Show(session, table);
  return {};
}

Outcome<void> DescribeTemplates(Session& session, const std::vector<std::string>& names,
                                const std::string& output) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& kind = **FindKind("templates");
  std::vector<json::value> found;
  for (const std::string& name : names) {
    YARD_ASSIGN(json::value one, FindObject(*server, kind, name));
    found.push_back(std::move(one));
  }
  Format format = output == "json" ? Format::kJson : Format::kYaml;
  PrintObjects(session.console(), kind, format, found, Shape::kOne);
  return {};
}

Outcome<void> ListKind(Session& session, std::string_view kind) {
  YARD_ASSIGN(client::Client * server, session.Server());
  const Kind& known = **FindKind(kind);
  YARD_ASSIGN(auto objects, ListObjects(*server, known, {}));
  PrintObjects(session.console(), known, Format::kTable, objects, Shape::kMany);
  return {};
}

Outcome<void> OldListVerb(Session& session, const OldArguments& arguments) {
  std::string noun = NounOf(arguments);
  std::vector<std::string> names(arguments.words.begin() + (arguments.words.empty() ? 0 : 1),
                                 arguments.words.end());
  if (noun == "projects") return ListProjects(session);
  if (noun == "nodes") return ListNodes(session, names);
  if (noun == "clusters" || noun == "templates") return ListKind(session, noun);
  if (noun != "jobs")
    return std::unexpected(
        Failure({Code::kInvalid, fmt::format("'{}' cannot be listed", arguments.words[0]),
                 "list jobs, projects, nodes, clusters or templates"}));
  YARD_ASSIGN(auto found, ListJobs(session, {.project = arguments.project,
                                             .everywhere = arguments.everywhere}));
  Show(session, OldList(found, session.around().clock.Now()));
  return {};
}

Outcome<void> DescribeJob(Session& session, const OldArguments& arguments,
                          const std::string& name) {
  YARD_TRY(RequireFormat(arguments.output, {"wide", "json", "yaml"}));
  YARD_ASSIGN(json::value workload, FindJob(session, name, arguments.project));
  YARD_ASSIGN(Details details, DetailsOf(session, workload));
  json::array pods(details.pods.begin(), details.pods.end());
  json::array events;
  if (arguments.events) events = json::array(details.events.begin(), details.events.end());
  if (arguments.output == "json" || arguments.output == "yaml") {
    workload.as_object()["pods"] = std::move(pods);
    workload.as_object()["events"] = std::move(events);
    PrintTree(session.console(), arguments.output == "json" ? Format::kJson : Format::kYaml,
              workload);
    return {};
  }
  session.console().out << OldDescribe({&workload, &pods, &events}, session.around().clock.Now());
  return {};
}

Outcome<void> OldDescribeVerb(Session& session, const OldArguments& arguments) {
  std::string noun = NounOf(arguments);
  std::vector<std::string> names(arguments.words.begin() + 1, arguments.words.end());
  if (noun == "nodes") return ListNodes(session, names);
  if (noun == "templates" && names.empty()) return ListKind(session, "templates");
  if (noun == "templates") return DescribeTemplates(session, names, arguments.output);
  // `describe NAME` is `describe job NAME`.
  bool has_noun = noun == "jobs" && !names.empty();
  return DescribeJob(session, arguments, has_noun ? names[0] : arguments.words[0]);
}

Outcome<void> TopNodes(Session& session, const OldArguments& arguments) {
  std::vector<std::string> names(arguments.words.begin() + 1, arguments.words.end());
  YARD_TRY(ListNodes(session, names));
  if (!arguments.details) return {};
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value answer, server->Get("/api/v1/gpus"));
  Table table{.header = {"NODE", "GPU", "MODEL", "MEMORY", "USED", "UTILIZATION"}, .rows = {}};
  if (const json::value& gpus = At(answer, "gpus"); gpus.is_array()) {
    for (const json::value& gpu : gpus.get_array()) {
      table.rows.push_back({TextAt(gpu, "node"), TextAt(gpu, "uuid"), TextAt(gpu, "model"),
                            TextAt(gpu, "memory"), TextAt(gpu, "used"),
                            TextAt(gpu, "busyPercent")});
    }
  }
  session.console().out << '\n';
  Show(session, table);
  return {};
}

Outcome<void> OldTopVerb(Session& session, const OldArguments& arguments) {
  std::string noun = NounOf(arguments);
  if (noun == "nodes") return TopNodes(session, arguments);
  if (noun == "jobs") {
    YARD_ASSIGN(auto found, ListJobs(session, {.project = arguments.project,
                                               .status = "Running",
                                               .everywhere = arguments.everywhere}));
    Show(session, OldList(found, session.around().clock.Now()));
    return {};
  }
  return std::unexpected(Failure({Code::kInvalid, "top of what?", "top node or top job"}));
}

}  // namespace

void AddOldViews(const Verb& root) {
  auto list = std::make_shared<OldArguments>();
  Verb verb = root.Add("list", "List jobs, projects, nodes, clusters or templates");
  verb.Words("WHAT", list->words, "jobs (default), projects, nodes, clusters, templates")
      .Text("-p,--project", list->project, "of this project", "NAME")
      .Flag("-A,--all-projects", list->everywhere, "of every project")
      .Examples("runai list jobs\nrunai list jobs -A\nrunai list projects");
  verb.Run([list, session = &verb.session()] { return OldListVerb(*session, *list); });
  auto describe = std::make_shared<OldArguments>();
  verb = root.Add("describe", "Everything about a job or a node");
  verb.NeedsWords("WHAT", describe->words, "job NAME, node [NAME] or template NAME")
      .Text("-p,--project", describe->project, "its project", "NAME")
      .Text("-o,--output", describe->output, "json, yaml or wide", "FORMAT")
      .Flag("-e,--events", describe->events, "with its events [true]")
      .Examples("runai describe job train -p vision");
  verb.Run([describe, session = &verb.session()] { return OldDescribeVerb(*session, *describe); });
  auto top = std::make_shared<OldArguments>();
  verb = root.Add("top", "What nodes or jobs use");
  verb.NeedsWords("WHAT", top->words, "node [NAME] or job")
      .Text("-p,--project", top->project, "of this project", "NAME")
      .Flag("-d,--details", top->details, "each GPU of a node")
      .Flag("-A,--all-projects", top->everywhere, "of every project")
      .Examples("runai top node\nrunai top job");
  verb.Run([top, session = &verb.session()] { return OldTopVerb(*session, *top); });
}

}  // namespace yard::cli::runai
