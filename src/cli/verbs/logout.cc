#include <ostream>

#include <CLI/CLI.hpp>
#include <boost/json/value.hpp>

#include "cli/verbs.h"

namespace yard::cli {
namespace {

client::Outcome<void> Logout(Session& session) {
  YARD_ASSIGN(Profile * profile, session.profile());
  if (profile->token.empty() && profile->refresh_token.empty()) {
    session.console().err << "nobody was signed in\n";
    return {};
  }
  profile->user.clear();
  profile->token.clear();
  profile->refresh_token.clear();
  YARD_TRY(session.Save());
  session.console().err << "signed out\n";
  return {};
}

}  // namespace

void AddLogout(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("logout", "Forget the tokens of the server in use");
  verb->footer("Example:\n  gpuyard logout");
  verb->callback([&session] {
    if (auto done = Logout(session); !done) session.Report(done.error());
  });
}

}  // namespace yard::cli
