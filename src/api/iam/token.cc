#include <algorithm>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "base/strings.h"
#include "control/commands/applications.h"
#include "control/commands/sessions.h"
#include "control/commands/users.h"
#include "http/url.h"
#include "serve/auth/authenticator.h"
#include "serve/auth/client_address.h"
#include "serve/auth/identity.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::SignInLimiter;
using control::Txn;

// The two spellings of the answer.
enum class Form { kV1, kOauth };

struct SignIn {
  std::string grant;
  std::string client;
  std::string secret;
  std::string username;
  std::string password;
  std::string refresh;
  Form form = Form::kV1;
};

// Clients spell the same key in many ways: appID, AppId, clientId, client_id.
std::string Squeeze(std::string_view key) {
  std::string plain = Lower(key);
  std::erase(plain, '_');
  return plain;
}

void Set(SignIn& request, std::string_view key, std::string_view value) {
  std::string plain = Squeeze(key);
  if (plain == "granttype") request.grant = value;
  if (plain == "appid" || plain == "clientid") request.client = value;
  if (plain == "appsecret" || plain == "clientsecret") request.secret = value;
  if (plain == "username" || plain == "email") request.username = value;
  if (plain == "password") request.password = value;
  if (plain == "refreshtoken") request.refresh = value;
}

Result<SignIn> ReadJson(Call& call) {
  SignIn request;
  YARD_ASSIGN(json::value body, ParseJson(call.request().body));
  if (!body.is_object()) return Fail(Code::kInvalid, "the body must be a JSON object");
  for (const auto& [key, value] : body.get_object()) {
    if (value.is_null()) continue;
    if (!value.is_string()) {
      return Fail(Code::kInvalid, fmt::format("{} must be a text", std::string_view(key)));
    }
    Set(request, key, std::string_view(value.get_string()));
  }
  return request;
}

Result<SignIn> ReadForm(Call& call) {
  SignIn request{.form = Form::kOauth};
  YARD_ASSIGN(auto pairs, http::ParseQuery(call.request().body));
  for (const auto& [key, value] : pairs) Set(request, key, value);
  return request;
}

http::Reply SessionReply(const serve::Session& session, Form form) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  if (form == Form::kV1) {
    w("accessToken", session.access);
    w("idToken", session.access);
    w("refreshToken", session.refresh);
    w("externalToken", "");
  } else {
    w("access_token", session.access);
    w("token_type", "Bearer");
    w("expires_in", control::kAccessLifetime.value / 1'000'000);
    if (!session.refresh.empty()) w("refresh_token", session.refresh);
  }
  w.End();
  http::Reply reply = Json(std::move(out));
  reply.headers.emplace_back("Cache-Control", "no-store");
  return reply;
}

// A refusal that is recorded before it is answered.
Pending Refuse(Call& call, std::string subject, std::string message, std::string details) {
  call.ActAs({.id = subject});
  return {[subject](Txn& txn) -> Status {
            control::RecordFailedSignIn(txn, subject);
            return {};
          },
          [message, details] { return ErrorReply({Code::kUnauthorized, message, details}); }};
}

// What a sign-in gives, and what it gives if its record could not be stored, for example since
// the disk is full: people must be able to look at the server then.
struct Welcomed {
  serve::Session recorded;
  serve::Session unrecorded;
};

Pending Answered(std::shared_ptr<Welcomed> slot, Form form, control::Command command) {
  return {std::move(command), [slot, form] { return SessionReply(slot->recorded, form); },
          [slot, form]() -> std::optional<http::Reply> {
            if (slot->unrecorded.access.empty()) return std::nullopt;
            return SessionReply(slot->unrecorded, form);
          }};
}

Pending Welcome(Call& call, const User& user, Form form) {
  call.ActAs({.id = user.email, .user = user.id});
  serve::Identity& identity = *call.server().context().identity;
  auto slot = std::make_shared<Welcomed>();
  return Answered(slot, form,
                  [slot, id = user.id, hash = user.password_hash, &identity,
                   address = call.request().peer_address](Txn& txn) -> Status {
                    YARD_ASSIGN(Ptr<User> now, control::RecordSignIn(txn, id));
                    if (now->password_hash != hash)
                      return Fail(Code::kUnauthorized, "the password has just been changed");
                    auto session = control::OpenSession(txn, id.value, address);
                    *slot = {identity.Open(*now, *session, txn.now()),
                             identity.OpenUnrecorded(*now, txn.now())};
                    return {};
                  });
}

Pending Welcome(Call& call, const Application& app, Form form) {
  call.ActAs({.type = SubjectType::kApp, .id = app.client_id});
  serve::Identity& identity = *call.server().context().identity;
  auto slot = std::make_shared<Welcomed>();
  return Answered(slot, form,
                  [slot, id = app.id, hash = app.secret_hash, &identity,
                   address = call.request().peer_address](Txn& txn) -> Status {
                    YARD_ASSIGN(Ptr<Application> now, control::RecordAppSignIn(txn, id));
                    if (!now->enabled || now->secret_hash != hash)
                      return Fail(Code::kUnauthorized, "the application has just been changed");
                    auto session = control::OpenSession(txn, id.value, address);
                    *slot = {identity.Open(*now, *session, txn.now()),
                             identity.OpenUnrecorded(*now, txn.now())};
                    return {};
                  });
}

// One client library asks for an application's token with nulls although it was given a bearer
// token. Whoever is signed in already gets that token back.
Result<Answer> WithoutCredentials(Call& call, const SignIn& request) {
  Result<control::Principal> who =
      call.server().context().authenticator.Authenticate(call.request(), call.state(), call.now());
  std::string_view header = call.request().Find("authorization").value_or("");
  if (who && !header.empty()) {
    return SessionReply({std::string(header.substr(header.find(' ') + 1)), ""}, request.form);
  }
  return Fail(Code::kUnauthorized, "no application id and secret were sent",
              "send clientId and clientSecret; this request ignores a configured bearer token");
}

// An application's secret cannot be guessed, so the right one is taken whatever others have tried.
Result<Answer> SignInApp(Call& call, const SignIn& request) {
  if (request.client.empty() && request.secret.empty()) return WithoutCredentials(call, request);
  Ptr<Application> app = control::FindApplication(call.state(), request.client);
  if (!app || !control::SecretMatches(app->secret_hash, request.secret)) {
    std::string network = serve::NetworkOf(call.request().peer_address);
    YARD_TRY(
        call.server().context().identity->BeginAttempt({SignInLimiter::ApplicationsFrom(network)}));
    return Refuse(call, request.client, "the application id or secret is wrong",
                  "see the application's client id; make a new secret if it is lost");
  }
  if (!app->enabled) {
    return Refuse(call, app->client_id, fmt::format("application '{}' is disabled", app->name),
                  app->owner ? "make a new secret for it" : "ask an administrator to enable it");
  }
  return Welcome(call, *app, request.form);
}

// Somebody with a session from this network is held up by their own mistakes there only: strangers
// at the same address, and guesses from elsewhere, do not lock them out.
std::vector<SignInLimiter::Key> KeysFor(const Call& call, const SignIn& request) {
  std::string network = serve::NetworkOf(call.request().peer_address);
  std::vector keys{SignInLimiter::SubjectFrom(request.username, network)};
  Ptr<User> user = call.state().UserByEmail(request.username);
  auto sessions = user ? call.state().SessionsOf(user->id.value) : std::vector<Ptr<LoginSession>>();
  bool known = std::ranges::any_of(sessions, [&](const Ptr<LoginSession>& session) {
    return serve::NetworkOf(session->address) == network;
  });
  if (known) return keys;
  keys.push_back(SignInLimiter::Subject(request.username));
  keys.push_back(SignInLimiter::Network(network));
  return keys;
}

Result<Answer> SignInUser(Call& call, const SignIn& request) {
  serve::Identity& identity = *call.server().context().identity;
  std::vector keys = KeysFor(call, request);
  YARD_TRY(identity.BeginAttempt(keys));
  if (request.password.size() > control::kMaxPassword) {
    return Refuse(call, request.username, "the e-mail or password is wrong", "");
  }
  return Slow{[&call, &identity, request, keys]() -> Result<Slow::Outcome> {
                Ptr<User> user = call.state().UserByEmail(request.username);
                bool has_password = user && !user->password_hash.empty();
                const std::string& hash =
                    has_password ? user->password_hash : control::NobodysHash();
                if (!control::PasswordMatches(hash, request.password) || !has_password) {
                  return Refuse(call, request.username, "the e-mail or password is wrong",
                                "an administrator can reset a password that is lost");
                }
                identity.AttemptSucceeded(keys);
                return Welcome(call, *user, request.form);
              },
              Slow::Lane::kPassword};
}

serve::Session TokensOf(const serve::Identity& identity, const control::Claims& claims,
                        const Txn& txn, const LoginSession& session) {
  if (claims.type == SubjectType::kUser) {
    return identity.Open(*txn.state().Find<User>(UserId{claims.subject}), session, txn.now());
  }
  return identity.Open(*txn.state().Find<Application>(ApplicationId{claims.subject}), session,
                       txn.now());
}

// A refresh token is good once. If somebody sends it a second time, one of the two is a thief, and
// nobody can tell which: the session ends, and that is stored before it is answered.
Result<Answer> Refresh(Call& call, const SignIn& request) {
  serve::Identity& identity = *call.server().context().identity;
  YARD_ASSIGN(control::Claims claims, control::VerifyToken(identity.key(), request.refresh));
  YARD_TRY(control::CheckExpiry(claims, call.now()));
  if (claims.kind != control::TokenKind::kRefresh || !claims.session) {
    return Fail(Code::kUnauthorized, "refreshToken: this is not a refresh token", "sign in again");
  }
  YARD_ASSIGN(control::Principal who, serve::PrincipalOf(claims, call.state()));
  call.ActAs(std::move(who));
  auto slot = std::make_shared<Welcomed>();
  auto renew = [slot, claims, &identity, sent = request.refresh](Txn& txn) -> Status {
    YARD_TRY(serve::PrincipalOf(claims, txn.state()));
    YARD_ASSIGN(Ptr<LoginSession> session,
                control::RenewSession(txn, *claims.session, claims.generation));
    if (session) {
      slot->recorded = TokensOf(identity, claims, txn, *session);
      // What could not be stored was not used: the token that was sent stays good.
      slot->unrecorded = {slot->recorded.access, sent};
    } else {
      control::RecordFailedSignIn(txn, claims.name);
    }
    return {};
  };
  Pending pending = Answered(slot, request.form, std::move(renew));
  pending.render = [slot, form = request.form] {
    if (!slot->recorded.access.empty()) return SessionReply(slot->recorded, form);
    return ErrorReply({Code::kUnauthorized,
                       "this refresh token was used before, so its session has ended",
                       "sign in again"});
  };
  return pending;
}

Result<Answer> Grant(Call& call, const SignIn& request) {
  if (call.server().context().identity == nullptr) {
    return Fail(Code::kUnavailable, "this server takes no sign-ins");
  }
  std::string grant = Squeeze(request.grant);
  if (grant == "apptoken" || grant == "clientcredentials") return SignInApp(call, request);
  if (grant == "password") return SignInUser(call, request);
  if (grant == "refreshtoken") return Refresh(call, request);
  return Fail(Code::kInvalid, fmt::format("grantType: '{}' is not supported", request.grant),
              "use app_token, client_credentials, password or refresh_token");
}

Result<Answer> Token(Call& call) {
  YARD_ASSIGN(SignIn request, ReadJson(call));
  return Grant(call, request);
}

Result<Answer> OauthToken(Call& call) {
  YARD_ASSIGN(SignIn request, ReadForm(call));
  return Grant(call, request);
}

}  // namespace

void AddTokenRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(routes.end(), {{kPost, "/api/v1/token", Public(), Token, "Sign in", "TokenRequest",
                                "TokenResponse"},
                               {kPost, "/api/v2/token", Public(), OauthToken,
                                "Sign in with a form, as OAuth has it", "", "OauthToken"}});
}

}  // namespace yard::api
