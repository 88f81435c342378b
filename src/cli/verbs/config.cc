#include <memory>
#include <ostream>
#include <string>

#include <boost/json/value.hpp>

#include "cli/kinds.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

client::Outcome<void> View(Session& session) {
  YARD_ASSIGN(Profile * profile, session.profile());
  client::Outcome<Session::Place> place = session.FindServer();
  json::object record{{"file", session.around().profile_path}};
  if (place) {
    record["server"] = place->socket.empty() ? place->url : "unix:" + place->socket;
    record["said by"] = place->said_by;
  }
  record["user"] = profile->user;
  record["signed in"] = !profile->token.empty() || session.around().token.has_value();
  record["project"] = profile->project;
  record["ca-file"] = profile->ca_file;
  PrintRecord(session.console(), session.format(), record);
  return {};
}

client::Outcome<void> SetUrl(Session& session, const std::string& url) {
  YARD_ASSIGN(Profile * profile, session.profile());
  // Tokens of one server are never sent to another.
  if (profile->url != url) *profile = Profile{.project = profile->project};
  profile->url = url;
  YARD_TRY(session.Save());
  session.console().err << "requests go to " << url << "; sign in with `gpuyard login`\n";
  return {};
}

client::Outcome<void> UseProject(Session& session, const std::string& name) {
  YARD_ASSIGN(Profile * profile, session.profile());
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value found, FindObject(*server, **FindKind("projects"), name));
  profile->project = TextAt(found, "name");
  YARD_TRY(session.Save());
  session.console().err << "the project in use is " << profile->project << '\n';
  return {};
}

}  // namespace

void AddConfig(CLI::App& app, Session& session) {
  Verb config = Verb(app, session).Add("config", "Look at and change configuration");
  config.NeedsVerb().Examples(
      "gpuyard config view\ngpuyard config project vision\n"
      "gpuyard config check server.yaml\ngpuyard config show --effective");
  Verb view = config.Add("view", "Show what the command line remembers");
  view.Format().Examples("gpuyard config view");
  view.Run([&session] { return View(session); });
  auto word = std::make_shared<std::string>();
  Verb set_url = config.Add("set-url", "Choose a server");
  set_url.NeedsWord("URL", *word, "https://host:port, or unix:/path")
      .Examples("gpuyard config set-url https://gpu.example.org:8470");
  set_url.Run([&session, word] { return SetUrl(session, *word); });
  Verb use = config.Add("project", "Choose the project for new workloads");
  use.Alias("use-project").NeedsWord("NAME", *word, "the project");
  use.Examples("gpuyard config project vision");
  use.Run([&session, word] { return UseProject(session, *word); });
}

}  // namespace yard::cli
