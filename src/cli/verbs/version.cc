#include <ostream>

#include <boost/json/value.hpp>

#include "base/version.h"
#include "cli/output.h"
#include "cli/verb.h"
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
  Verb verb = Verb(app, session).Add("version", "Show the versions of this program and the server");
  verb.Format()
      .TakeFlag(
          "--wide", [&session](bool) { session.SetFormat(Format::kWide); }, "as -o wide")
      .Examples("gpuyard version\ngpuyard version -o json");
  verb.Run([&session]() -> client::Outcome<void> {
    Version(session);
    return {};
  });
}

}  // namespace yard::cli
