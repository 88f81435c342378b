#include "cli/runai/show.h"

#include <algorithm>
#include <memory>
#include <ostream>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/runai/views.h"
#include "cli/work/find.h"

namespace yard::cli::runai {
namespace {

using client::Outcome;

std::vector<json::value> ItemsOf(const Outcome<json::value>& answer, std::string_view key) {
  if (!answer) return {};
  const json::value& list = At(*answer, key);
  if (!list.is_array()) return {};
  return {list.get_array().begin(), list.get_array().end()};
}

struct NewListArguments : ListArguments {
  NewFormat format;
};

struct DescribeArguments {
  std::string name;
  std::string project;
  std::string uuid;
  std::string output = "table";
  std::string type;
  Parts parts;
  std::int64_t pod_limit = 10;
  std::int64_t event_limit = 50;
};

json::array Cut(const std::vector<json::value>& items, std::int64_t limit) {
  std::size_t count =
      std::min(items.size(), static_cast<std::size_t>(std::max<std::int64_t>(limit, 0)));
  return json::array(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count));
}

Outcome<void> Describe(Session& session, const DescribeArguments& arguments) {
  std::string name = arguments.uuid.empty() ? arguments.name : arguments.uuid;
  if (name.empty()) return std::unexpected(client::Failure({Code::kInvalid, "which one?"}));
  YARD_TRY(RequireFormat(arguments.output, {"table", "json", "yaml"}));
  YARD_ASSIGN(json::value workload, FindJob(session, name, arguments.project));
  YARD_TRY(RequireType(workload, arguments.type));
  YARD_ASSIGN(Details details, DetailsOf(session, workload));
  json::array pods = Cut(details.pods, arguments.pod_limit);
  json::array events = Cut(details.events, arguments.event_limit);
  if (arguments.output == "json" || arguments.output == "yaml") {
    workload.as_object()["pods"] = std::move(pods);
    workload.as_object()["events"] = std::move(events);
    PrintTree(session.console(), arguments.output == "json" ? Format::kJson : Format::kYaml,
              workload);
    return {};
  }
  session.console().out << NewDescribe({&workload, &pods, &events}, arguments.parts,
                                       session.around().clock.Now());
  return {};
}

}  // namespace

Outcome<void> RequireType(const json::value& workload, const std::string& type) {
  const std::string own = TextAt(workload, "type");
  const bool same = EqualsIgnoreCase(type, own) ||
                    EqualsIgnoreCase(type, TextAt(workload, "distributedFramework"));
  if (type.empty() || same) return {};
  return std::unexpected(client::Failure(
      {Code::kNotFound, fmt::format("'{}' is no {}", TextAt(workload, "name"), type),
       fmt::format("its type is {}", Lower(own))}));
}

Outcome<void> RequireFormat(const std::string& said,
                            std::initializer_list<std::string_view> known) {
  if (said.empty() || std::ranges::find(known, said) != known.end()) return {};
  return std::unexpected(
      client::Failure({Code::kInvalid, fmt::format("'{}' is no output format", said),
                       fmt::format("one of {}", fmt::join(known, ", "))}));
}

Outcome<std::vector<json::value>> ListJobs(Session& session, const ListArguments& arguments) {
  std::vector<std::string> terms;
  if (!arguments.everywhere) {
    YARD_ASSIGN(ProjectInUse project, FindProject(session, arguments.project));
    terms.push_back("projectName==" + project.name);
  }
  if (!arguments.status.empty()) terms.push_back("phase==" + arguments.status);
  if (!arguments.type.empty()) terms.push_back("type==" + arguments.type);
  if (!arguments.framework.empty()) terms.push_back("distributedFramework==" + arguments.framework);
  YARD_ASSIGN(std::vector<json::value> found,
              ListWorkloads(session, Join(terms, ","), Existing::kLive));
  auto offset = static_cast<std::size_t>(std::max<std::int64_t>(arguments.offset, 0));
  found.erase(found.begin(),
              found.begin() + static_cast<std::ptrdiff_t>(std::min(offset, found.size())));
  auto limit = static_cast<std::size_t>(arguments.limit);
  if (arguments.limit > 0 && found.size() > limit) found.resize(limit);
  return found;
}

Outcome<Details> DetailsOf(Session& session, const json::value& workload) {
  YARD_ASSIGN(client::Client * server, session.Server());
  Details details;
  details.pods = ItemsOf(server->Get(PathOf(workload, "/pods")), "pods");
  details.events = ItemsOf(server->Get(PathOf(workload, "/events"), {{"limit", "50"}}), "events");
  return details;
}

Outcome<void> PrintNew(Session& session, const NewFormat& format,
                       const std::vector<json::value>& objects, const Table& table) {
  if (format.json || format.yaml) {
    PrintTree(session.console(), format.json ? Format::kJson : Format::kYaml,
              json::array(objects.begin(), objects.end()));
    return {};
  }
  std::string text = RenderTable(table, session.console().width, Colour::kNo);
  if (format.no_headers) text.erase(0, text.find('\n') + 1);
  session.console().out << text;
  return {};
}

void AddNewFormat(Verb& verb, NewFormat& format) {
  verb.Flag("--json", format.json, "as JSON")
      .Flag("--yaml", format.yaml, "as YAML")
      .Flag("--table", format.table, "as a table (default)")
      .Flag("--no-headers", format.no_headers, "without the line of column names");
}

void AddList(const Verb& parent, const Scope& scope) {
  auto arguments = std::make_shared<NewListArguments>();
  arguments->type = scope.type;
  arguments->framework = scope.framework;
  arguments->limit = 50;
  Verb verb = parent.Add("list", "List work");
  verb.Text("-p,--project", arguments->project, "of this project", "NAME")
      .Flag("-A,--all", arguments->everywhere, "of every project")
      .Text("--status", arguments->status, "in this phase", "PHASE")
      .Number("--limit", arguments->limit, "at most so many [50]")
      .Number("--offset", arguments->offset, "leave out so many");
  if (scope.type.empty()) {
    verb.Text("--type", arguments->type, "of this type", "TYPE")
        .Text("--framework", arguments->framework, "of this framework", "NAME");
  }
  AddNewFormat(verb, arguments->format);
  verb.Examples("runai workspace list -A\nrunai workload list --status Running --json");
  verb.Run([arguments, session = &verb.session()]() -> Outcome<void> {
    YARD_ASSIGN(std::vector<json::value> found, ListJobs(*session, *arguments));
    return PrintNew(*session, arguments->format, found, NewList(found));
  });
}

void AddDescribe(const Verb& parent) {
  auto arguments = std::make_shared<DescribeArguments>();
  Verb verb = parent.Add("describe", "Everything about one");
  verb.Word("NAME", arguments->name, "its name")
      .Text("-p,--project", arguments->project, "its project", "NAME")
      .Text("--uuid", arguments->uuid, "its id instead", "ID")
      .Text("-o,--output", arguments->output, "table, json or yaml", "FORMAT")
      .Flag("--general", arguments->parts.general, "with what it is")
      .Flag("--compute", arguments->parts.compute, "with its resources")
      .Flag("--pods,--containers", arguments->parts.pods, "with its pods")
      .Flag("--events", arguments->parts.events, "with its events")
      .Flag("--networks", arguments->parts.networks, "with its addresses")
      .Number("--pod-limit", arguments->pod_limit, "pods at most [10]")
      .Number("--event-limit", arguments->event_limit, "events at most [50]")
      .HiddenText("--type", arguments->type)
      .Examples("runai workspace describe notebook\nrunai workspace describe notebook -o json");
  verb.Run([arguments, session = &verb.session()] { return Describe(*session, *arguments); });
}

}  // namespace yard::cli::runai
