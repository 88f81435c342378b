#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

struct Arguments {
  std::string kind;
  std::vector<std::string> names;
  std::string project;
  std::string filter;
  std::string search;
  std::string sort;
  std::int64_t limit = 0;
  bool descending = false;
  bool watch = false;
};

std::string FilterOf(const Kind& kind, const Arguments& arguments) {
  std::string filter = arguments.filter;
  if (!arguments.project.empty() && kind.plural == "workloads") {
    filter += fmt::format("{}projectName=={}", filter.empty() ? "" : ",", arguments.project);
  }
  // `get trainings` is `get workloads` of one type.
  std::string word = Lower(arguments.kind);
  for (std::string_view type : {"Workspace", "Training", "Inference", "Distributed"}) {
    std::string lower = Lower(type);
    if (kind.plural == "workloads" && (word == lower || word == lower + "s"))
      filter += fmt::format("{}type=={}", filter.empty() ? "" : ",", type);
  }
  return filter;
}

ListRequest RequestOf(const Kind& kind, const Arguments& arguments) {
  ListRequest request{
      .query = {}, .limit = static_cast<std::size_t>(std::max<std::int64_t>(arguments.limit, 0))};
  auto add = [&request](const char* name, const std::string& value) {
    if (!value.empty()) request.query.emplace_back(name, value);
  };
  add("filterBy", FilterOf(kind, arguments));
  add("search", arguments.search);
  add("sortBy", arguments.sort);
  if (arguments.descending) add("sortOrder", "desc");
  return request;
}

// What is wrong with objects that are ready: a list of names and numbers would hide it.
void PrintWarnings(Session& session, const Kind& kind, const std::vector<json::value>& objects) {
  const bool units = kind.plural == "projects" || kind.plural == "departments";
  const bool people = session.format() == Format::kTable || session.format() == Format::kWide;
  if (!units || !people) return;
  std::set<std::string> warnings;
  for (const json::value& object : objects) warnings.insert(TextAt(object, "status.phaseMessage"));
  warnings.erase("");
  for (const std::string& warning : warnings) session.console().err << warning << '\n';
}

client::Outcome<void> Show(Session& session, const Kind& kind, const Arguments& arguments) {
  YARD_ASSIGN(client::Client * server, session.Server());
  if (arguments.names.empty()) {
    YARD_ASSIGN(std::vector<json::value> all,
                ListObjects(*server, kind, RequestOf(kind, arguments)));
    PrintObjects(session.console(), kind, session.format(), all, Shape::kMany);
    PrintWarnings(session, kind, all);
    return {};
  }
  std::vector<json::value> found;
  for (const std::string& name : arguments.names) {
    YARD_ASSIGN(json::value object, FindObject(*server, kind, name));
    found.push_back(std::move(object));
  }
  PrintObjects(session.console(), kind, session.format(), found,
               found.size() == 1 ? Shape::kOne : Shape::kMany);
  PrintWarnings(session, kind, found);
  return {};
}

// Shows the list again whenever the server tells of a change.
client::Outcome<void> Watch(Session& session, const Kind& kind, const Arguments& arguments) {
  YARD_TRY(Show(session, kind, arguments));
  YARD_ASSIGN(client::Client * server, session.Server());
  client::Client follower(server->options());
  client::Outcome<void> shown;
  YARD_TRY(follower.Follow("/api/v1/events/stream", [&](const client::Event&) {
    session.console().out << '\n';
    shown = Show(session, kind, arguments);
    session.console().out << std::flush;
    return shown.has_value();
  }));
  return shown;
}

void Get(Session& session, const Arguments& arguments) {
  Result<const Kind*> kind = FindKind(arguments.kind);
  if (!kind) {
    session.Usage(kind.error());
    return;
  }
  auto done =
      arguments.watch ? Watch(session, **kind, arguments) : Show(session, **kind, arguments);
  if (!done) session.Report(done.error());
}

std::string Footer() {
  std::string kinds;
  for (const Kind& kind : Kinds())
    kinds += fmt::format("{}{}", kinds.empty() ? "" : " ", kind.plural);
  return "Kinds: " + kinds +
         "\n\nExamples:\n  gpuyard get projects\n  gpuyard get project vision -o yaml\n"
         "  gpuyard get workloads -p vision --filter 'phase==Pending' --sort createdAt --desc\n"
         "  gpuyard get users -o csv > users.csv";
}

}  // namespace

void AddGet(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<Arguments>();
  Verb verb = Verb(app, session).Add("get", "List objects, or show some of them");
  verb.NeedsWord("KIND", arguments->kind, "what to show; see below")
      .Words("NAME", arguments->names, "names or ids; default: all")
      .Text("-p,--project", arguments->project, "only workloads of this project", "NAME")
      .Text("--filter", arguments->filter, "conditions, for example 'name=@net,phase!=Ready'")
      .Text("--search", arguments->search, "only objects that contain this text")
      .Text("--sort", arguments->sort, "field to sort by", "FIELD")
      .Flag("--desc", arguments->descending, "from the last to the first")
      .Number("--limit", arguments->limit, "at most so many; 0: all")
      .Flag("-w,--watch", arguments->watch, "show again after every change")
      .Format()
      .Footer(Footer());
  verb.Run([arguments, &session]() -> client::Outcome<void> {
    Get(session, *arguments);
    return {};
  });
}

}  // namespace yard::cli
