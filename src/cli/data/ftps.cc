// ftps password, ls, rm, certificate: uploads to a project by FTPS.
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "cli/data/verbs.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "cli/work/find.h"

namespace yard::cli {
namespace {

using client::Outcome;

struct FtpsArguments {
  std::string login;
  std::string project;
};

struct Way {
  client::Client* server = nullptr;
  std::string path;
  std::string project;
};
Outcome<Way> WayTo(Session& session, const FtpsArguments& arguments) {
  YARD_ASSIGN(const ProjectInUse project, FindProject(session, arguments.project));
  YARD_ASSIGN(client::Client * server, session.Server());
  return Way{server, fmt::format("/api/v1/datasets/{}/ftps-logins", project.id), project.name};
}

// The host of a URL, for a server that listens on every address.
std::string HostIn(const std::string& url) {
  const std::size_t begin = url.find("://");
  if (begin == std::string::npos) return "localhost";
  const std::string rest = url.substr(begin + 3);
  return rest.substr(0, rest.find_first_of(":/"));
}

Outcome<void> MakePassword(Session& session, const FtpsArguments& arguments) {
  YARD_ASSIGN(const Way way, WayTo(session, arguments));
  YARD_ASSIGN(json::value made,
              way.server->SendForJson({.method = client::Method::kPost, .path = way.path}));
  if (TextAt(made, "host").empty()) made.as_object()["host"] = HostIn(way.server->options().url);
  if (session.format() == Format::kJson || session.format() == Format::kYaml) {
    PrintTree(session.console(), session.format(), made);
  } else {
    for (const char* field : {"host", "port", "login", "password"})
      session.console().out << fmt::format("{:<10}{}\n", field, TextAt(made, field));
  }
  session.Note(
      fmt::format("the password is shown this once; it is good for uploads to project '{}' alone",
                  way.project));
  session.Hint(fmt::format("lftp -u {} -p {} {}", TextAt(made, "login"), TextAt(made, "port"),
                           TextAt(made, "host")));
  session.Hint("`gpuyard ftps certificate` prints what lftp checks the server against");
  return {};
}

Outcome<void> ListLogins(Session& session, const FtpsArguments& arguments) {
  YARD_ASSIGN(const Way way, WayTo(session, arguments));
  YARD_ASSIGN(const json::value answer, way.server->Get(way.path));
  const json::array& list = At(answer, "logins").as_array();
  Table table{.header = {"LOGIN", "USER", "CREATED"}, .rows = {}};
  for (const json::value& one : list)
    table.rows.push_back({TextAt(one, "login"), TextAt(one, "user"), TextAt(one, "createdAt")});
  return PrintTable(session, {list.begin(), list.end()}, table);
}

Outcome<void> RemoveLogin(Session& session, const FtpsArguments& arguments) {
  YARD_ASSIGN(const Way way, WayTo(session, arguments));
  YARD_TRY(way.server->Send({.method = client::Method::kDelete,
                             .path = fmt::format("{}/{}", way.path, arguments.login)}));
  session.Note(fmt::format("'{}' is removed, and its sessions end", arguments.login));
  return {};
}

Outcome<void> PrintCertificate(Session& session, const FtpsArguments& arguments) {
  YARD_ASSIGN(const Way way, WayTo(session, arguments));
  YARD_ASSIGN(const json::value answer, way.server->Get(way.path));
  session.console().out << TextAt(answer, "certificate");
  return {};
}

using Action = Outcome<void> (*)(Session&, const FtpsArguments&);

std::shared_ptr<FtpsArguments> Begin(Verb& verb, Session& session, Action action) {
  auto arguments = std::make_shared<FtpsArguments>();
  verb.Text("-p,--project", arguments->project, "the project it is about", "NAME");
  verb.Run([arguments, &session, action] { return action(session, *arguments); });
  return arguments;
}

}  // namespace

void AddFtps(CLI::App& app, Session& session) {
  Verb root = Verb(app, session).Add("ftps", "Upload files with lftp or FileZilla");
  root.NeedsVerb();
  Verb password = root.Add("password", "Make a password for uploads to a project, for yourself");
  Begin(password, session, MakePassword);
  password.Format().Examples("gpuyard ftps password\ngpuyard ftps password -p vision -o json");
  Verb list = root.Add("ls", "List who may upload to a project");
  Begin(list, session, ListLogins);
  list.Format().Examples("gpuyard ftps ls -p vision");
  Verb remove = root.Add("rm", "Remove a password; its sessions end");
  auto gone = Begin(remove, session, RemoveLogin);
  remove.NeedsWord("LOGIN", gone->login, "as `gpuyard ftps ls` shows it")
      .Examples("gpuyard ftps rm vision-3f9c2a10");
  Verb certificate = root.Add("certificate", "Print what clients check the server against");
  Begin(certificate, session, PrintCertificate);
  certificate.Examples("gpuyard ftps certificate > gpuyard.pem");
}

}  // namespace yard::cli
