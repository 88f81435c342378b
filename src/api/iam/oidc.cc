// Signing in at an identity provider, by OpenID Connect.
//
// The browser goes to the provider and comes back to the callback, which opens a session and sends
// the browser to the dashboard with the session's refresh token in the fragment of the address: no
// server is sent a fragment, and the token is good once. What the sign-in has to remember lies in
// a cookie of the browser, sealed by the vault; so a link that somebody else has begun ends here.
#include <fmt/format.h>

#include "api/groups.h"
#include "api/handler.h"
#include "base/log.h"
#include "base/strings.h"
#include "control/auth/secrets.h"
#include "control/commands/external_users.h"
#include "control/commands/sessions.h"
#include "control/commands/users.h"
#include "http/url.h"
#include "oidc/provider.h"
#include "serve/auth/identity.h"
#include "serve/server.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Txn;

constexpr std::string_view kCookie = "gpuyard_sign_in";
constexpr std::string_view kPath = "/api/v1/oidc";
// From the callback: a reverse proxy may have put all of it below a path.
constexpr std::string_view kHome = "../../../";

struct Means {
  oidc::Provider& provider;
  const control::Vault& vault;
  serve::Identity& identity;
};

Result<Means> MeansOf(Call& call) {
  const serve::ServerContext& context = call.server().context();
  if (context.oidc && context.vault && context.identity) {
    return Means{*context.oidc, *context.vault, *context.identity};
  }
  return Fail(Code::kNotFound, "this server has no identity provider",
              "sign in with e-mail and password");
}

std::string CookieText(std::string_view value, Call& call) {
  std::int64_t seconds = value.empty() ? 0 : oidc::kAttemptLifetime.value / 1'000'000;
  const serve::Addresses* addresses = call.server().context().addresses;
  bool secure = addresses != nullptr && serve::IsSecure(addresses->dashboard, call.request());
  // Without a path it is for the folder of this request, also where a proxy puts it below another.
  return fmt::format("{}={}; HttpOnly; SameSite=Lax; Max-Age={}{}", kCookie, value, seconds,
                     secure ? "; Secure" : "");
}

std::string CookieOf(const http::Request& request) {
  for (const http::Header& header : request.headers) {
    if (header.first != "cookie") continue;
    for (std::string_view pair : Split(header.second, ';')) {
      std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos || Trim(pair.substr(0, equals)) != kCookie) continue;
      return std::string(Trim(pair.substr(equals + 1)));
    }
  }
  return "";
}

http::Reply Redirect(std::string to) {
  http::Reply reply;
  reply.status = 302;
  reply.content_type = "text/plain; charset=utf-8";
  reply.headers.emplace_back("Location", std::move(to));
  reply.headers.emplace_back("Cache-Control", "no-store");
  reply.headers.emplace_back("Referrer-Policy", "no-referrer");
  return reply;
}

Result<Answer> Describe(Call& call) {
  Result<Means> means = MeansOf(call);
  if (!means) return Json(R"({"enabled":false})");
  return Slow{[provider = &means->provider, now = call.now()]() -> Result<Slow::Outcome> {
                std::string out;
                wire::Writer w(out);
                w.Begin();
                w("enabled", true);
                w("name", provider->options().name);
                w("loginUrl", fmt::format("{}/login", kPath));
                // A provider that does not answer is no reason to hide the way to it.
                Result<std::optional<std::string>> sign_out = provider->SignOutUrl(now);
                if (sign_out && *sign_out) w("logoutUrl", **sign_out);
                w.End();
                return Json(std::move(out));
              },
              Slow::Lane::kProvider};
}

Result<Answer> Login(Call& call) {
  YARD_ASSIGN(Means means, MeansOf(call));
  return Slow{[&call, means]() -> Result<Slow::Outcome> {
                Random& random = call.service().random();
                YARD_ASSIGN(oidc::Provider::Begun begun, means.provider.Begin(random, call.now()));
                http::Reply reply = Redirect(std::move(begun.url));
                std::string sealed = means.vault.Seal(oidc::WriteAttempt(begun.attempt), random);
                reply.headers.emplace_back("Set-Cookie", CookieText(sealed, call));
                return reply;
              },
              Slow::Lane::kProvider};
}

// The dashboard says what went wrong; the reason goes along in the fragment.
http::Reply Refused(const Error& error, Call& call) {
  log::Info("a sign-in by OpenID Connect was refused", {{"error", error.message}});
  http::Reply reply =
      Redirect(std::string(kHome) + "#sign-in-error=" + http::EncodePercent(error.message));
  reply.headers.emplace_back("Set-Cookie", CookieText("", call));
  return reply;
}

Result<oidc::Person> Finish(Call& call, const Means& means) {
  if (std::optional<std::string_view> error = call.Query("error")) {
    return Fail(Code::kUnauthorized, fmt::format("the identity provider says: {}", *error));
  }
  Result<std::string> text = means.vault.Open(CookieOf(call.request()));
  oidc::Attempt attempt =
      text ? oidc::ReadAttempt(*text).value_or(oidc::Attempt{}) : oidc::Attempt{};
  return means.provider.Finish(attempt,
                               {.state = std::string(call.Query("state").value_or("")),
                                .code = std::string(call.Query("code").value_or(""))},
                               call.now());
}

Pending Welcome(Call& call, const Means& means, const oidc::Person& person) {
  call.ActAs({.id = person.email});
  const oidc::Options& options = means.provider.options();
  control::ExternalPerson external{
      .id = options.issuer + " " + person.subject, .email = person.email, .groups = person.groups};
  bool by_email = options.take_over && person.email_verified;
  auto take_over = by_email ? control::TakeOver::kByEmail : control::TakeOver::kNever;
  auto slot = std::make_shared<Result<serve::Session>>(serve::Session{});
  return {[slot, external, take_over, identity = &means.identity,
           address = call.request().peer_address](Txn& txn) -> Status {
            Result<Ptr<User>> user = control::SignInExternal(txn, external, take_over);
            if (!user) {
              *slot = Fail(user.error());
              control::RecordFailedSignIn(txn, external.email);
              return {};
            }
            auto session = control::OpenSession(txn, (*user)->id.value, address);
            *slot = identity->Open(**user, *session, txn.now());
            return {};
          },
          [slot, &call] {
            if (!*slot) return Refused(slot->error(), call);
            http::Reply reply = Redirect(std::string(kHome) + "#refresh=" + (*slot)->refresh);
            reply.headers.emplace_back("Set-Cookie", CookieText("", call));
            return reply;
          }};
}

Result<Answer> Callback(Call& call) {
  YARD_ASSIGN(Means means, MeansOf(call));
  return Slow{[&call, means]() -> Result<Slow::Outcome> {
                Result<oidc::Person> person = Finish(call, means);
                if (!person) return Refused(person.error(), call);
                return Welcome(call, means, *person);
              },
              Slow::Lane::kProvider};
}

}  // namespace

void AddOidcRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(
      routes.end(),
      {{kGet, "/api/v1/oidc", Public(), Describe, "Whether people sign in at an identity provider",
        "", "SingleSignOn"},
       {kGet, "/api/v1/oidc/login", Public(), Login, "Go to the identity provider", "", "", 302},
       {kGet,
        "/api/v1/oidc/callback",
        Public(),
        Callback,
        "Come back from the identity provider",
        "",
        "",
        302,
        {{"code", "string"}, {"state", "string"}, {"error", "string"}}}});
}

}  // namespace yard::api
