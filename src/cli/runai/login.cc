// login, login user, login application: the ways to sign in that the other program has.
#include "cli/login.h"

#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/runai/work.h"

namespace yard::cli::runai {
namespace {

using client::Failure;
using client::Outcome;

constexpr const char* kOfBrowser =
    "--listen-host,--listen-port,--client-id,--idp-issuer-url,--redirect-server,"
    "--additional-scope";

struct Arguments {
  std::string word;  // "user", "application", or the server
  std::string url;
  std::string user;
  std::string password;
  bool password_stdin = false;
  std::string ca_file;
  std::string name;  // of an application
  std::string secret;
  std::string secret_file;
  bool save = false;
  bool interactive = false;
  std::string of_browser;  // flags of a sign-in by a browser
};

Outcome<void> SignInApplication(Session& session, const Arguments& arguments) {
  ApplicationLogin login{.url = arguments.url,
                         .name = arguments.name,
                         .secret = arguments.secret,
                         .ca_file = arguments.ca_file};
  if (!arguments.secret_file.empty()) {
    std::ifstream file(arguments.secret_file);
    if (!std::getline(file, login.secret))
      return std::unexpected(Failure({Code::kInvalid, "cannot read " + arguments.secret_file}));
  }
  if (login.name.empty() && arguments.interactive) {
    session.console().err << "application: " << std::flush;
    std::getline(session.console().in, login.name);
  }
  if (login.name.empty())
    return std::unexpected(Failure({Code::kInvalid, "which application?", "give --name"}));
  if (arguments.save) session.Note("the secret is not stored; the session is");
  return LoginAsApplication(session, std::move(login));
}

Outcome<void> SignIn(Session& session, Arguments arguments) {
  const bool browser = arguments.word == "sso" || arguments.word == "remote-browser" ||
                       !arguments.of_browser.empty();
  if (!browser && arguments.word == "application") return SignInApplication(session, arguments);
  if (browser)
    return std::unexpected(Failure({Code::kUnsupported, "there is no sign-in by a browser here",
                                    "use `runai login user -u EMAIL`"}));
  PersonLogin login{.url = arguments.word == "user" ? arguments.url : arguments.word,
                    .username = arguments.user,
                    .ca_file = arguments.ca_file,
                    .password_stdin = arguments.password_stdin};
  if (!arguments.password.empty()) login.password = arguments.password;
  return LoginAsPerson(session, std::move(login));
}

}  // namespace

void AddRunaiLogin(const Verb& root) {
  auto arguments = std::make_shared<Arguments>();
  Verb verb = root.Add("login", "Sign in to a server and remember it");
  verb.Word("HOW", arguments->word, "user, application, or the server's URL")
      .Word("URL", arguments->url, "the server; default: the one in use")
      .Text("-u,--user,--username", arguments->user, "e-mail; asked for if left out", "EMAIL")
      .Text("-p,--password", arguments->password, "password; asked for if left out", "TEXT")
      .Flag("--password-stdin", arguments->password_stdin, "read the password from a pipe")
      .Text("--name", arguments->name, "the application", "NAME")
      .Text("--secret", arguments->secret, "its secret; asked for if left out", "TEXT")
      .Text("--secret-file", arguments->secret_file, "its secret is the first line", "FILE")
      .Text("--ca-file", arguments->ca_file, "certificate (PEM) to trust", "FILE")
      .HiddenFlag("--save", arguments->save)
      .HiddenFlag("--interactive", arguments->interactive)
      .HiddenText(kOfBrowser, arguments->of_browser)
      .Examples(
          "runai login\nrunai login user -u ann@lab.org\n"
          "runai login application --name ci --secret-file ci.secret");
  verb.Run([arguments, session = &verb.session()] { return SignIn(*session, *arguments); });
}

}  // namespace yard::cli::runai
