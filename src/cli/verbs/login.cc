#include <istream>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "cli/output.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace yard::cli {
namespace {

struct Arguments {
  std::string url;
  std::string username;
  std::string ca_file;
  bool password_stdin = false;
};

std::string ReadLine(std::istream& in) {
  std::string line;
  std::getline(in, line);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

Result<std::string> AskUsername(Session& session) {
  if (!session.console().interactive)
    return Fail(Code::kInvalid, "no user was named", "give --username");
  session.console().err << "e-mail: " << std::flush;
  return ReadLine(session.console().in);
}

Result<std::string> AskPassword(Session& session, const Arguments& arguments) {
  if (arguments.password_stdin) return ReadLine(session.console().in);
  std::optional<std::string> password;
  if (session.console().read_secret) password = session.console().read_secret("password: ");
  if (!password)
    return Fail(Code::kInvalid, "there is no terminal to ask for the password",
                "pipe it in with --password-stdin");
  return *password;
}

Result<std::string> AskNewPassword(Session& session, const Arguments& arguments) {
  if (arguments.password_stdin) {
    std::string fresh = ReadLine(session.console().in);
    if (!fresh.empty()) return fresh;
    return Fail(Code::kInvalid, "the password is temporary and must be changed",
                "pipe in a second line with the new one");
  }
  session.console().err << "the password is temporary: choose a new one\n";
  std::optional<std::string> fresh = session.console().read_secret("new password: ");
  std::optional<std::string> again = session.console().read_secret("once more: ");
  if (!fresh || fresh != again) return Fail(Code::kInvalid, "the two do not match");
  return *fresh;
}

struct SignedIn {
  std::string password;
  Tokens tokens;
};

client::Outcome<Tokens> SignIn(client::Client& client, const std::string& username,
                               const std::string& password) {
  return RequestTokens(client, {{"grantType", "password"},
                                {"clientId", "cli"},
                                {"username", username},
                                {"password", password}});
}

// A temporary password opens one door only: the one where it is changed.
client::Outcome<void> ReplaceTemporary(Session& session, const Arguments& arguments,
                                       client::Options options, SignedIn& in) {
  options.token = in.tokens.access;
  client::Client client(std::move(options));
  YARD_ASSIGN(json::value me, client.Get("/api/v1/me"));
  if (TextAt(me, "mustChangePassword") != "true") return {};
  YARD_ASSIGN(std::string fresh, AskNewPassword(session, arguments));
  json::object change{{"currentPassword", in.password}, {"newPassword", fresh}};
  YARD_TRY(client.Send({.method = client::Method::kPost,
                        .path = "/api/v1/me/password",
                        .body = json::serialize(change)}));
  // The old session ended with the old password.
  YARD_ASSIGN(in.tokens, SignIn(client, arguments.username, fresh));
  session.console().err << "the password is changed\n";
  return {};
}

client::Outcome<void> Login(Session& session, Arguments arguments) {
  YARD_ASSIGN(Profile * profile, session.profile());
  Session::Place place;
  if (arguments.url.empty()) {
    YARD_ASSIGN(place, session.FindServer());
  } else {
    place = Session::PlaceOf(arguments.url, "the command line");
  }
  if (!arguments.ca_file.empty()) profile->ca_file = arguments.ca_file;
  if (arguments.username.empty()) {
    YARD_ASSIGN(arguments.username, AskUsername(session));
  }
  YARD_ASSIGN(std::string password, AskPassword(session, arguments));
  std::unique_ptr<client::Client> client = session.Anonymous(place, *profile);
  SignedIn in{.password = password, .tokens = {}};
  YARD_ASSIGN(in.tokens, SignIn(*client, arguments.username, password));
  YARD_TRY(ReplaceTemporary(session, arguments, client->options(), in));
  profile->url = place.socket.empty() ? place.url : "unix:" + place.socket;
  profile->user = arguments.username;
  profile->token = in.tokens.access;
  profile->refresh_token = in.tokens.refresh;
  YARD_TRY(session.Save());
  session.console().err << fmt::format("signed in to {} as {}\n", profile->url, profile->user);
  return {};
}

}  // namespace

void AddLogin(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<Arguments>();
  Verb verb = Verb(app, session).Add("login", "Sign in to a server and remember it");
  verb.Word("URL", arguments->url, "the server; default: the one in use")
      .Text("-u,--username", arguments->username, "e-mail; asked for if left out", "EMAIL")
      .Flag("--password-stdin", arguments->password_stdin, "read the password from a pipe")
      .Text("--ca-file", arguments->ca_file, "certificate (PEM) to trust", "FILE")
      .Examples(
          "gpuyard login\ngpuyard login https://gpu.example.org:8470\n"
          "echo \"$PASSWORD\" | gpuyard login -u admin@gpuyard.local --password-stdin");
  verb.Run([arguments, &session] { return Login(session, *arguments); });
}

}  // namespace yard::cli
