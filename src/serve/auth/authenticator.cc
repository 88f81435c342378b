#include "serve/auth/authenticator.h"

#include <pwd.h>

#include <array>

#include <fmt/format.h>

#include "control/auth/identity.h"
#include "control/commands/roles_predefined.h"
#include "serve/auth/api_key.h"
#include "serve/auth/authenticator_cache.h"
#include "serve/auth/basic.h"
#include "serve/auth/identity.h"

namespace yard::serve {
namespace {

using control::Claims;
using control::Principal;
using control::State;

constexpr std::string_view kBearer = "bearer ";
// What somebody may still do who must change their password first.
constexpr std::array<std::string_view, 2> kBeforePasswordChange{"/api/v1/me",
                                                                "/api/v1/me/password"};

std::unexpected<Error> Ended() {
  return Fail(Code::kUnauthorized, "this session has ended", "sign in again");
}

Principal PrincipalOf(const User& user) {
  return {.type = SubjectType::kUser, .id = user.email, .groups = user.groups, .user = user.id};
}

// One of the tenant acts as itself, a user's own as its user.
Result<Principal> PrincipalOf(const Application& app, const State& state) {
  if (!app.owner) return Principal{.type = SubjectType::kApp, .id = app.client_id};
  Ptr<User> owner = state.Find<User>(*app.owner);
  if (!owner) return Ended();
  return PrincipalOf(*owner);
}

// The text after "Bearer ", or nothing.
std::optional<std::string_view> BearerOf(std::string_view header) {
  if (header.size() <= kBearer.size()) return std::nullopt;
  for (std::size_t i = 0; i < kBearer.size(); ++i) {
    char c = header[i];
    char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower != kBearer[i]) return std::nullopt;
  }
  return header.substr(kBearer.size());
}

Ptr<User> UserByUnixName(const State& state, std::string_view name) {
  Ptr<User> found;
  state.Of<User>().Each([&](const User& user) {
    if (user.unix_name != name) return true;
    found = state.Find<User>(user.id);
    return false;
  });
  return found;
}

Ptr<User> FirstAdministrator(const State& state) {
  Ptr<User> found;
  state.Of<AccessRule>().Each([&](const AccessRule& rule) {
    bool grants = !rule.deleted_at && rule.role == control::kSystemAdministrator &&
                  rule.scope == Scope::Tenant() && rule.subject_type == SubjectType::kUser;
    if (grants) found = state.UserByEmail(rule.subject_id);
    return !found;
  });
  return found;
}

class PasswdNames final : public AccountNames {
 public:
  std::optional<std::string> NameOf(std::uint32_t uid) override {
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) {
      return std::nullopt;
    }
    return std::string(found->pw_name);
  }
};

class TokenAuthenticator final : public Authenticator {
 public:
  TokenAuthenticator(const Identity& identity, AccountNames& names, AuthenticatorOptions options)
      : identity_(identity), names_(names), options_(std::move(options)) {}

  Result<Principal> Authenticate(const http::Request& request, const State& state,
                                 Time now) override {
    return Identify(request, state, {now, Expiry::kOfToken});
  }

  Result<Principal> AuthenticateAgain(const http::Request& request, const State& state,
                                      Time now) override {
    return Identify(request, state, {now, Expiry::kOfSession});
  }

 private:
  // What an access token's end is taken from.
  enum class Expiry { kOfToken, kOfSession };
  struct Moment {
    Time now;
    Expiry expiry;
  };

  Result<Principal> Identify(const http::Request& request, const State& state, Moment at) {
    std::optional<std::string_view> header = request.Find("authorization");
    std::optional<std::string_view> key = ApiKeyOf(request);
    if (!header && !key && request.peer_credentials)
      return ByPeer(request.peer_credentials->uid, state);
    std::optional<NameAndSecret> pair =
        key ? SplitSecret(*key) : BasicCredentials(header.value_or(""));
    YARD_ASSIGN(Principal who, pair
                                   ? ByPair(*pair, state, at)
                                   : ByToken(key ? key : BearerOf(header.value_or("")), state, at));
    YARD_TRY(CheckPasswordChanged(who, state, request.path()));
    return who;
  }

  // A token beside any name, or an application's id and secret.
  Result<Principal> ByPair(const NameAndSecret& pair, const State& state, Moment at) {
    Ptr<Application> app = state.AppByClientId(pair.name);
    if (app && control::SecretMatches(app->secret_hash, pair.secret))
      return ByApplication(*app, state);
    return ByToken(pair.secret, state, at);
  }

  Result<Principal> ByToken(std::optional<std::string_view> token, const State& state, Moment at) {
    if (!token) {
      return Fail(Code::kUnauthorized, "nobody is signed in",
                  "send the header 'Authorization: Bearer TOKEN'; POST /api/v1/token gives one");
    }
    bool personal = token->starts_with(control::kPersonalTokenPrefix);
    return personal ? ByPersonal(*token, state, at.now) : ByAccess(*token, state, at);
  }

  static Result<Principal> ByApplication(const Application& app, const State& state) {
    if (!app.enabled) {
      return Fail(Code::kUnauthorized, fmt::format("application '{}' is disabled", app.name),
                  app.owner ? "make a new secret for it" : "ask an administrator to enable it");
    }
    return PrincipalOf(app, state);
  }

  Result<Principal> ByAccess(std::string_view token, const State& state, Moment at) {
    YARD_ASSIGN(TokenCache::Known known, Verify(token));
    bool lives_on = at.expiry == Expiry::kOfSession && known->session;
    if (!lives_on) YARD_TRY(control::CheckExpiry(*known, at.now));
    if (known->kind != control::TokenKind::kAccess) {
      return Fail(Code::kUnauthorized, "this is a refresh token",
                  "exchange it at POST /api/v1/token for an access token");
    }
    return serve::PrincipalOf(*known, state);
  }

  Result<TokenCache::Known> Verify(std::string_view token) {
    if (TokenCache::Known known = cache_.Find(token)) return known;
    YARD_ASSIGN(Claims claims, control::VerifyToken(identity_.key(), token));
    auto known = std::make_shared<const Claims>(std::move(claims));
    cache_.Put(token, known);
    return known;
  }

  // Holds for whatever acts as the user: sessions, personal tokens and own applications.
  static Status CheckPasswordChanged(const Principal& who, const State& state,
                                     std::string_view path) {
    Ptr<User> user = who.user ? state.Find<User>(*who.user) : nullptr;
    if (!user || !user->must_change_password) return {};
    for (std::string_view allowed : kBeforePasswordChange) {
      if (path == allowed) return {};
    }
    return Fail(Code::kForbidden, "the temporary password must be changed first",
                "change it with POST /api/v1/me/password, then sign in again");
  }

  static Result<Principal> ByPersonal(std::string_view text, const State& state, Time now) {
    std::optional<control::PersonalTokenParts> parts = control::SplitPersonalToken(text);
    Ptr<PersonalToken> token = parts ? state.Find<PersonalToken>(parts->id) : nullptr;
    if (!token || !control::SecretMatches(token->secret_hash, parts->secret)) {
      return Fail(Code::kUnauthorized, "this personal token is not valid",
                  "make a new one with POST /api/v1/me/tokens");
    }
    if (now >= token->expires_at) {
      return Fail(Code::kUnauthorized,
                  fmt::format("the personal token '{}' expired at {}", token->name,
                              FormatRfc3339(token->expires_at)),
                  "make a new one with POST /api/v1/me/tokens");
    }
    Ptr<User> owner = state.Find<User>(token->owner);
    if (!owner) return Ended();
    return PrincipalOf(*owner);
  }

  Result<Principal> ByPeer(std::uint32_t uid, const State& state) {
    if (uid == 0 || uid == options_.server_uid) {
      Ptr<User> administrator = state.UserByEmail(options_.administrator);
      if (!administrator) administrator = FirstAdministrator(state);
      if (administrator) return PrincipalOf(*administrator);
    }
    std::optional<std::string> name = names_.NameOf(uid);
    Ptr<User> user = name ? UserByUnixName(state, *name) : nullptr;
    if (user) return PrincipalOf(*user);
    return Fail(Code::kUnauthorized,
                fmt::format("the machine's account '{}' belongs to no user",
                            name.value_or(std::to_string(uid))),
                "sign in with a token, or ask an administrator to set your account's unixName");
  }

  // Constant after construction.
  const Identity& identity_;
  AccountNames& names_;
  const AuthenticatorOptions options_;

  TokenCache cache_;
};

}  // namespace

Result<Principal> PrincipalOf(const Claims& claims, const State& state) {
  if (claims.session) {
    Ptr<LoginSession> session = state.Find<LoginSession>(*claims.session);
    if (!session || session->subject != claims.subject) return Ended();
  }
  if (claims.type == SubjectType::kUser) {
    Ptr<User> user = state.Find<User>(UserId{claims.subject});
    if (!user || user->session_epoch != claims.epoch) return Ended();
    Principal who = PrincipalOf(*user);
    who.session = claims.session;
    return who;
  }
  Ptr<Application> app = state.Find<Application>(ApplicationId{claims.subject});
  if (!app || !app->enabled || app->session_epoch != claims.epoch) return Ended();
  return PrincipalOf(*app, state);
}

AccountNames& SystemAccountNames() {
  static PasswdNames names;
  return names;
}

std::unique_ptr<Authenticator> MakeAuthenticator(const Identity& identity, AccountNames& names,
                                                 AuthenticatorOptions options) {
  return std::make_unique<TokenAuthenticator>(identity, names, std::move(options));
}

}  // namespace yard::serve
