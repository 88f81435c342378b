#include <memory>
#include <ostream>
#include <string>

#include <CLI/CLI.hpp>
#include <boost/json/value.hpp>

#include "cli/kinds.h"
#include "cli/output.h"
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

template <class Run>
void OnCall(CLI::App* verb, Session& session, Run run) {
  verb->callback([&session, run] {
    if (client::Outcome<void> done = run(); !done) session.Report(done.error());
  });
}

}  // namespace

void AddConfig(CLI::App& app, Session& session) {
  CLI::App* config = app.add_subcommand("config", "Look at and change configuration");
  config->require_subcommand(1);
  config->footer(
      "Examples:\n  gpuyard config view\n  gpuyard config use-project vision\n"
      "  gpuyard config check server.yaml\n  gpuyard config show --effective");
  CLI::App* view = config->add_subcommand("view", "Show what the command line remembers");
  AddFormatOption(*view, session);
  OnCall(view, session, [&session] { return View(session); });
  auto word = std::make_shared<std::string>();
  CLI::App* set_url = config->add_subcommand("set-url", "Choose a server");
  set_url->add_option("URL", *word, "https://host:port, or unix:/path")->required();
  OnCall(set_url, session, [&session, word] { return SetUrl(session, *word); });
  CLI::App* use = config->add_subcommand("use-project", "Choose the project for new workloads");
  use->alias("project");
  use->add_option("NAME", *word, "the project")->required();
  OnCall(use, session, [&session, word] { return UseProject(session, *word); });
}

}  // namespace yard::cli
