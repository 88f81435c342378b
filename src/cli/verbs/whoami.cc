#include <CLI/CLI.hpp>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

client::Outcome<void> Whoami(Session& session) {
  YARD_ASSIGN(client::Client * server, session.Server());
  YARD_ASSIGN(json::value me, server->Get("/api/v1/me"));
  YARD_ASSIGN(Session::Place place, session.FindServer());
  if (!me.is_object()) me = json::object();
  json::object record = me.get_object();
  record.emplace("server", place.socket.empty() ? place.url : "unix:" + place.socket);
  PrintRecord(session.console(), session.format(), record);
  return {};
}

}  // namespace

void AddWhoami(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("whoami", "Show who is signed in, and where");
  AddFormatOption(*verb, session);
  verb->footer("Examples:\n  gpuyard whoami\n  gpuyard whoami -o name");
  verb->callback([&session] {
    if (auto done = Whoami(session); !done) session.Report(done.error());
  });
}

}  // namespace yard::cli
