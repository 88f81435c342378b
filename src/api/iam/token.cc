#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/handler.h"
#include "base/strings.h"
#include "control/commands/applications.h"
#include "control/commands/users.h"
#include "http/url.h"
#include "serve/auth/authenticator.h"
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
    w("refresh_token", session.refresh);
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

// The answer to a sign-in whose record could not be stored, for example since the disk is full:
// people must be able to look at the server then. Nothing if the sign-in itself was refused.
auto WelcomeUnrecorded(std::shared_ptr<serve::Session> session, Form form) {
  return [session, form]() -> std::optional<http::Reply> {
    if (session->access.empty()) return std::nullopt;
    return SessionReply(*session, form);
  };
}

Pending Welcome(Call& call, const User& user, Form form) {
  call.ActAs({.id = user.email, .user = user.id});
  serve::Identity& identity = *call.server().context().identity;
  auto slot = std::make_shared<serve::Session>();
  return {[slot, id = user.id, hash = user.password_hash, &identity](Txn& txn) -> Status {
            YARD_ASSIGN(Ptr<User> now, control::RecordSignIn(txn, id));
            if (now->password_hash != hash)
              return Fail(Code::kUnauthorized, "the password has just been changed");
            *slot = identity.Open(*now, txn.now());
            return {};
          },
          [slot, form] { return SessionReply(*slot, form); }, WelcomeUnrecorded(slot, form)};
}

Pending Welcome(Call& call, const Application& app, Form form) {
  call.ActAs({.type = SubjectType::kApp, .id = app.client_id});
  serve::Identity& identity = *call.server().context().identity;
  auto slot = std::make_shared<serve::Session>();
  return {[slot, id = app.id, hash = app.secret_hash, &identity](Txn& txn) -> Status {
            YARD_ASSIGN(Ptr<Application> now, control::RecordAppSignIn(txn, id));
            if (!now->enabled || now->secret_hash != hash)
              return Fail(Code::kUnauthorized, "the application has just been changed");
            *slot = identity.Open(*now, txn.now());
            return {};
          },
          [slot, form] { return SessionReply(*slot, form); }, WelcomeUnrecorded(slot, form)};
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

Result<Answer> SignInApp(Call& call, const SignIn& request) {
  if (request.client.empty() && request.secret.empty()) return WithoutCredentials(call, request);
  SignInLimiter& limiter = call.server().context().identity->limiter();
  std::vector keys{SignInLimiter::Address(call.request().peer_address)};
  YARD_TRY(limiter.Begin(keys, call.now()));
  Ptr<Application> app = control::FindApplication(call.state(), request.client);
  if (!app || !control::SecretMatches(app->secret_hash, request.secret)) {
    return Refuse(call, request.client, "the application id or secret is wrong",
                  "see the application's client id; make a new secret if it is lost");
  }
  limiter.Succeed(keys);
  if (!app->enabled) {
    return Refuse(call, app->client_id, fmt::format("application '{}' is disabled", app->name),
                  "ask an administrator to enable it");
  }
  return Welcome(call, *app, request.form);
}

Result<Answer> SignInUser(Call& call, const SignIn& request) {
  serve::Identity& identity = *call.server().context().identity;
  std::vector keys{SignInLimiter::Subject(request.username),
                   SignInLimiter::Address(call.request().peer_address)};
  YARD_TRY(identity.limiter().Begin(keys, call.now()));
  if (request.password.size() > control::kMaxPassword) {
    return Refuse(call, request.username, "the e-mail or password is wrong", "");
  }
  return Slow{[&call, &identity, request, keys]() -> Result<Slow::Outcome> {
    Ptr<User> user = call.state().UserByEmail(request.username);
    bool has_password = user && !user->password_hash.empty();
    const std::string& hash = has_password ? user->password_hash : control::NobodysHash();
    if (!control::PasswordMatches(hash, request.password) || !has_password) {
      return Refuse(call, request.username, "the e-mail or password is wrong",
                    "an administrator can reset a password that is lost");
    }
    identity.limiter().Succeed(keys);
    return Welcome(call, *user, request.form);
  }};
}

Result<Answer> Refresh(Call& call, const SignIn& request) {
  serve::Identity& identity = *call.server().context().identity;
  YARD_ASSIGN(control::Claims claims, control::VerifyToken(identity.key(), request.refresh));
  YARD_TRY(control::CheckExpiry(claims, call.now()));
  if (claims.kind != control::TokenKind::kRefresh) {
    return Fail(Code::kUnauthorized, "refreshToken: this is not a refresh token", "sign in again");
  }
  YARD_TRY(serve::PrincipalOf(claims, call.state()));
  if (claims.type == SubjectType::kUser) {
    Ptr<User> user = call.state().Find<User>(UserId{claims.subject});
    return SessionReply(identity.Open(*user, call.now()), request.form);
  }
  Ptr<Application> app = call.state().Find<Application>(ApplicationId{claims.subject});
  return SessionReply(identity.Open(*app, call.now()), request.form);
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
