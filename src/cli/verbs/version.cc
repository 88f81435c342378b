#include <ostream>

#include <CLI/CLI.hpp>
#include <boost/json/value.hpp>

#include "base/version.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

void Version(Session& session) {
  json::object record{{"client", kVersion}};
  client::Outcome<client::Client*> server = session.Server();
  client::Outcome<json::value> answer =
      server ? (*server)->Get("/api/v1/version") : std::unexpected(server.error());
  if (answer) {
    record.emplace("server", TextAt(*answer, "version"));
    record.emplace("contract", TextAt(*answer, "contract"));
  }
  PrintRecord(session.console(), session.format(), record);
  if (!answer) session.console().err << "server: " << answer.error().error.message << '\n';
}

}  // namespace

void AddVersion(CLI::App& app, Session& session) {
  CLI::App* verb =
      app.add_subcommand("version", "Show the versions of this program and the server");
  AddFormatOption(*verb, session);
  verb->footer("Examples:\n  gpuyard version\n  gpuyard version -o json");
  verb->callback([&session] { Version(session); });
}

}  // namespace yard::cli
