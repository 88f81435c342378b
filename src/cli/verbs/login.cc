#include "cli/login.h"

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

Result<std::string> AskPassword(Session& session, const PersonLogin& arguments) {
  if (arguments.password_stdin) return ReadLine(session.console().in);
  std::optional<std::string> password = arguments.password;
  if (!password && session.console().read_secret)
    password = session.console().read_secret("password: ");
  if (!password)
    return Fail(Code::kInvalid, "there is no terminal to ask for the password",
                "pipe it in with --password-stdin");
  return *password;
}

Result<std::string> AskNewPassword(Session& session, const PersonLogin& arguments) {
  if (arguments.password_stdin) {
    std::string fresh = ReadLine(session.console().in);
    if (!fresh.empty()) return fresh;
    return Fail(Code::kInvalid, "the password is temporary and must be changed",
                "pipe in a second line with the new one");
  }
  if (!session.console().read_secret)
    return Fail(Code::kInvalid, "the password is temporary and must be changed",
                "sign in on a terminal once");
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
client::Outcome<void> ReplaceTemporary(Session& session, const PersonLogin& arguments,
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

client::Outcome<Session::Place> PlaceFor(Session& session, const std::string& url) {
  if (url.empty()) return session.FindServer();
  return Session::PlaceOf(url, "the command line");
}

client::Outcome<void> Remember(Session& session, const Session::Place& place,
                               const std::string& user, const Tokens& tokens) {
  YARD_ASSIGN(Profile * profile, session.profile());
  profile->url = place.socket.empty() ? place.url : "unix:" + place.socket;
  profile->user = user;
  profile->token = tokens.access;
  profile->refresh_token = tokens.refresh;
  YARD_TRY(session.Save());
  session.console().err << fmt::format("signed in to {} as {}\n", profile->url, profile->user);
  return {};
}

}  // namespace

client::Outcome<void> LoginAsPerson(Session& session, PersonLogin login) {
  YARD_ASSIGN(Profile * profile, session.profile());
  YARD_ASSIGN(Session::Place place, PlaceFor(session, login.url));
  if (!login.ca_file.empty()) profile->ca_file = login.ca_file;
  if (login.username.empty()) {
    YARD_ASSIGN(login.username, AskUsername(session));
  }
  YARD_ASSIGN(std::string password, AskPassword(session, login));
  std::unique_ptr<client::Client> client = session.Anonymous(place, *profile);
  SignedIn in{.password = password, .tokens = {}};
  YARD_ASSIGN(in.tokens, SignIn(*client, login.username, password));
  YARD_TRY(ReplaceTemporary(session, login, client->options(), in));
  return Remember(session, place, login.username, in.tokens);
}

client::Outcome<void> LoginAsApplication(Session& session, ApplicationLogin login) {
  YARD_ASSIGN(Profile * profile, session.profile());
  YARD_ASSIGN(Session::Place place, PlaceFor(session, login.url));
  if (!login.ca_file.empty()) profile->ca_file = login.ca_file;
  if (login.secret.empty()) {
    std::optional<std::string> secret;
    if (session.console().read_secret) secret = session.console().read_secret("secret: ");
    if (!secret)
      return std::unexpected(client::Failure(
          {Code::kInvalid, "there is no terminal to ask for the secret", "give --secret-file"}));
    login.secret = *secret;
  }
  std::unique_ptr<client::Client> client = session.Anonymous(place, *profile);
  YARD_ASSIGN(Tokens tokens, RequestTokens(*client, {{"grantType", "app_token"},
                                                     {"appId", login.name},
                                                     {"appSecret", login.secret}}));
  return Remember(session, place, login.name, tokens);
}

void AddLogin(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<PersonLogin>();
  Verb verb = Verb(app, session).Add("login", "Sign in to a server and remember it");
  verb.Word("URL", arguments->url, "the server; default: the one in use")
      .Text("-u,--username", arguments->username, "e-mail; asked for if left out", "EMAIL")
      .Flag("--password-stdin", arguments->password_stdin, "read the password from a pipe")
      .Text("--ca-file", arguments->ca_file, "certificate (PEM) to trust", "FILE")
      .Examples(
          "gpuyard login\ngpuyard login https://gpu.example.org:8470\n"
          "echo \"$PASSWORD\" | gpuyard login -u admin@gpuyard.local --password-stdin");
  verb.Run([arguments, &session] { return LoginAsPerson(session, *arguments); });
}

}  // namespace yard::cli
