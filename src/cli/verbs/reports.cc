// reports: pages in Markdown about the runs of a project.
#include "cli/track/reports.h"

#include <algorithm>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/strings.h"
#include "cli/input.h"
#include "cli/print.h"
#include "cli/resolver.h"

namespace yard::cli {
namespace {

using client::Failure;
using client::Outcome;

constexpr std::string_view kPath = "/api/v1/reports";
constexpr std::size_t kFewestDigits = 4;

struct ReportsArguments {
  std::vector<std::string> words;
  std::string project;
  bool yes = false;
};

std::string PathOf(const json::value& report) {
  return fmt::format("{}/{}", kPath, TextAt(report, "id"));
}

Outcome<std::vector<json::value>> Entries(client::Client& server,
                                          std::vector<std::pair<std::string, std::string>> query) {
  query.emplace_back("limit", "500");
  YARD_ASSIGN(json::value found, server.Get(std::string(kPath), std::move(query)));
  const json::array& list = found.at("reports").as_array();
  return std::vector<json::value>(list.begin(), list.end());
}

// By title, by id, or by the first digits of an id.
Outcome<json::value> FindReport(client::Client& server, const std::string& word) {
  YARD_ASSIGN(std::vector<json::value> found, Entries(server, {{"search", word}}));
  std::erase_if(found, [&](const json::value& one) { return TextAt(one, "title") != word; });
  bool may_be_id = word.size() >= kFewestDigits && std::ranges::all_of(word, [](char c) {
                     return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                   });
  if (found.empty() && may_be_id) {
    YARD_ASSIGN(found, Entries(server, {{"filterBy", "id=^" + word}}));
  }
  if (found.size() == 1) return server.Get(PathOf(found.front()));
  if (found.empty()) {
    return std::unexpected(Failure({Code::kNotFound, fmt::format("there is no report '{}'", word),
                                    "see `gpuyard reports` for their titles"}));
  }
  std::vector<std::string> ids;
  for (const json::value& one : found) ids.push_back(TextAt(one, "id"));
  return std::unexpected(
      Failure({Code::kInvalid, fmt::format("{} reports have the title '{}'", found.size(), word),
               "say which by its id: " + Join(ids, ", ")}));
}

Outcome<void> List(Session& session, client::Client& server, const ReportsArguments& arguments) {
  std::vector<std::pair<std::string, std::string>> query{{"sortBy", "updatedAt"},
                                                         {"sortOrder", "desc"}};
  if (!arguments.project.empty()) {
    YARD_ASSIGN(std::string id, Resolver(server).Id("projects", arguments.project));
    query.emplace_back("projectId", id);
  }
  YARD_ASSIGN(std::vector<json::value> reports, Entries(server, std::move(query)));
  Table table{.header = {"TITLE", "ID", "PROJECT", "BY", "CHANGED", "CHANGED BY"}};
  for (const json::value& one : reports) {
    table.rows.push_back({TextAt(one, "title"), TextAt(one, "id").substr(0, 8),
                          TextAt(one, "projectName"), TextAt(one, "authorName"),
                          TextAt(one, "updatedAt"), TextAt(one, "editorName")});
  }
  return PrintTable(session, reports, table);
}

Outcome<void> Show(Session& session, client::Client& server, const std::string& word) {
  YARD_ASSIGN(json::value report, FindReport(server, word));
  if (session.format() == Format::kJson || session.format() == Format::kYaml) {
    PrintTree(session.console(), session.format(), report);
    return {};
  }
  std::string text = TextAt(report, "text");
  session.console().out << text << (text.ends_with('\n') ? "" : "\n");
  return {};
}

Outcome<void> Create(Session& session, client::Client& server, const ReportsArguments& arguments) {
  if (arguments.project.empty()) {
    return std::unexpected(Failure({Code::kInvalid, "which project?", "name it with -p"}));
  }
  YARD_ASSIGN(std::string text, ReadInput(session, arguments.words[2]));
  YARD_ASSIGN(std::string project, Resolver(server).Id("projects", arguments.project));
  json::object body{
      {"projectId", ParseInt(project).value_or(0)}, {"title", arguments.words[1]}, {"text", text}};
  YARD_ASSIGN(json::value made, server.SendForJson({.method = client::Method::kPost,
                                                    .path = std::string(kPath),
                                                    .body = json::serialize(body),
                                                    .idempotency_key = session.NewKey()}));
  session.console().out << TextAt(made, "id") << '\n';
  return {};
}

Outcome<void> Write(Session& session, client::Client& server, const ReportsArguments& arguments) {
  YARD_ASSIGN(std::string text, ReadInput(session, arguments.words[2]));
  YARD_ASSIGN(json::value report, FindReport(server, arguments.words[1]));
  json::object body{
      {"title", report.at("title")}, {"text", text}, {"revision", report.at("revision")}};
  YARD_TRY(server.SendForJson(
      {.method = client::Method::kPut, .path = PathOf(report), .body = json::serialize(body)}));
  session.Note(fmt::format("{} is written", TextAt(report, "title")));
  return {};
}

bool Agreed(Session& session, const std::string& title) {
  Console& console = session.console();
  console.err << fmt::format("Delete the report '{}' for everybody? [y/N] ", title);
  std::string answer;
  return std::getline(console.in, answer) && Lower(answer).starts_with('y');
}

Outcome<void> Delete(Session& session, client::Client& server, const ReportsArguments& arguments) {
  YARD_ASSIGN(json::value report, FindReport(server, arguments.words[1]));
  std::string title = TextAt(report, "title");
  if (!arguments.yes && !session.console().interactive) {
    return std::unexpected(Failure({Code::kInvalid, "nobody is there to confirm", "say --yes"}));
  }
  if (!arguments.yes && !Agreed(session, title)) {
    session.Note("nothing was deleted");
    session.exit_code = ExitCode::kError;
    return {};
  }
  YARD_TRY(server.Send({.method = client::Method::kDelete, .path = PathOf(report)}));
  session.Note(fmt::format("{} is deleted", title));
  return {};
}

Outcome<void> Reports(Session& session, const ReportsArguments& arguments) {
  const std::vector<std::string>& words = arguments.words;
  std::string verb = words.empty() ? "ls" : words.front();
  struct Form {
    std::string_view verb;
    std::size_t words;
    std::string_view missing;
  };
  constexpr Form kForms[] = {{"ls", 1, ""},
                             {"list", 1, ""},
                             {"show", 2, "say which report: its title or id"},
                             {"create", 3, "say a title and a file; - is the standard input"},
                             {"write", 3, "say a report and a file; - is the standard input"},
                             {"delete", 2, "say which report: its title or id"}};
  const auto* form = std::ranges::find(kForms, verb, &Form::verb);
  if (form == std::end(kForms) || words.size() > form->words) {
    return std::unexpected(Failure(
        {Code::kInvalid, "these words mean nothing together", "see `gpuyard reports --help`"}));
  }
  if (words.size() < form->words && !words.empty()) {
    return std::unexpected(
        Failure({Code::kInvalid, "something is missing", std::string(form->missing)}));
  }
  YARD_ASSIGN(client::Client * server, session.Server());
  if (verb == "show") return Show(session, *server, words[1]);
  if (verb == "create") return Create(session, *server, arguments);
  if (verb == "write") return Write(session, *server, arguments);
  if (verb == "delete") return Delete(session, *server, arguments);
  return List(session, *server, arguments);
}

}  // namespace

void AddReports(const Verb& root, Session& session) {
  auto arguments = std::make_shared<ReportsArguments>();
  Verb verb = root.Add("reports", "Reports on runs: list, read, write and delete them");
  verb.Words("ls | show REPORT | create TITLE FILE | write REPORT FILE | delete REPORT",
             arguments->words, "a report goes by its title or id")
      .Text("-p,--project", arguments->project, "only of this project; where to create", "NAME")
      .Flag("-y,--yes", arguments->yes, "do not ask before deleting")
      .Format()
      .Examples(
          "gpuyard reports -p vision\n"
          "gpuyard reports create 'Learning rates' lr.md -p vision\n"
          "gpuyard reports show 'Learning rates' > lr.md\n"
          "gpuyard reports write 'Learning rates' lr.md\n"
          "gpuyard reports delete 'Learning rates' --yes");
  verb.Run([arguments, &session] { return Reports(session, *arguments); });
}

}  // namespace yard::cli
