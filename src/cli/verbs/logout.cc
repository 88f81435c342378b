#include <ostream>

#include <boost/json/value.hpp>

#include "cli/verb.h"
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
  Verb verb = Verb(app, session).Add("logout", "Forget the tokens of the server in use");
  verb.Examples("gpuyard logout");
  verb.Run([&session] { return Logout(session); });
}

}  // namespace yard::cli
