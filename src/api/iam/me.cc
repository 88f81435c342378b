#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/iam/iam_views.h"
#include "control/commands/sessions.h"
#include "control/commands/users.h"
#include "serve/auth/identity.h"
#include "serve/server.h"
#include "wire/reader.h"

namespace yard::api {
namespace {

using control::Txn;

constexpr std::int64_t kDefaultTokenDays = 90;
constexpr std::int64_t kMaxTokenDays = 365;

// The caller's account; an application of the tenant has none.
Result<Ptr<User>> Myself(const Call& call) {
  Ptr<User> user = call.who().user ? call.state().Find<User>(*call.who().user) : nullptr;
  if (user) return user;
  return Fail(Code::kForbidden, "only a user can do this", "sign in as a user");
}

void WriteMyRoles(wire::Writer& w, Call& call) {
  const control::State& state = call.state();
  std::vector<Ptr<AccessRule>> rules = state.RulesOf(call.who().type, call.who().id);
  for (const std::string& group : call.who().groups) {
    for (auto& rule : state.RulesOf(SubjectType::kGroup, group)) rules.push_back(rule);
  }
  w.Key("roles");
  w.BeginList();
  for (const Ptr<AccessRule>& rule : rules) {
    wire::AccessRuleView view = ViewOf(state, *rule);
    w.Item();
    w.Begin();
    w("roleId", rule->role);
    w("roleName", view.role_name);
    w("scopeType", rule->scope.type);
    w("scopeId", wire::ScopeIdText(rule->scope));
    w("scopeName", view.scope_name);
    w.End();
  }
  w.EndList();
}

Result<Answer> GetMe(Call& call) {
  Result<Ptr<User>> user = Myself(call);
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("id", user ? FormatUuid((*user)->id.value) : call.who().id);
  w("subjectType", call.who().type);
  w("username", call.who().id);
  w("groups", call.who().groups);
  w("mustChangePassword", user && (*user)->must_change_password);
  w("hasFirstPassword", user && (*user)->has_first_password);
  WriteMyRoles(w, call);
  w.End();
  return Json(std::move(out));
}

http::Reply WriteTokens(const serve::Session& session) {
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("accessToken", session.access);
  w("refreshToken", session.refresh);
  w.End();
  return Json(std::move(out));
}

Result<Answer> ChangePassword(Call& call) {
  YARD_ASSIGN(Ptr<User> user, Myself(call));
  YARD_ASSIGN(json::object body, call.Body());
  std::string current(body.at("currentPassword").as_string());
  std::string fresh(body.at("newPassword").as_string());
  YARD_TRY(control::CheckNewPassword(fresh));
  if (fresh == current) {
    return Fail(Code::kInvalid, "newPassword: must differ from the current password");
  }
  serve::Identity& identity = *call.server().context().identity;
  std::vector keys{control::SignInLimiter::PasswordChange(user->email)};
  YARD_TRY(identity.BeginAttempt(keys));
  std::string address = call.request().peer_address;
  return Slow{[&identity, user, current, fresh, keys, address]() -> Result<Slow::Outcome> {
                if (!control::PasswordMatches(user->password_hash, current)) {
                  return Fail(Code::kInvalid, "currentPassword: is wrong");
                }
                identity.AttemptSucceeded(keys);
                YARD_ASSIGN(std::string hash, identity.Hash(fresh));
                control::PasswordChange change{user->id, user->password_hash, hash};
                // The change ends every session, also this one: here is the next.
                auto next = [change, address, &identity](Txn& txn) -> Result<serve::Session> {
                  YARD_ASSIGN(Ptr<User> changed, control::ChangeOwnPassword(txn, change));
                  auto session = control::OpenSession(txn, changed->id.value, address);
                  return identity.Open(*changed, *session, txn.now());
                };
                return std::get<Pending>(Commit(next, WriteTokens));
              },
              Slow::Lane::kPassword};
}

Result<Answer> ListTokens(Call& call) {
  YARD_ASSIGN(Ptr<User> user, Myself(call));
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<PersonalToken>().Each([&](const PersonalToken& token) {
    if (token.owner != user->id) return;
    w.Item();
    wire::WritePersonalToken(w, token);
  });
  w.EndList();
  return Json(std::move(out));
}

Result<Time> ExpiryOf(const json::object& body, Time now) {
  std::optional<Time> expires;
  std::optional<std::int64_t> days;
  std::vector<FieldIssue> issues;
  wire::Reader reader(body, "", issues);
  reader("expiresAt", expires);
  reader("days", days);
  Time at = expires.value_or(now + Days(days.value_or(kDefaultTokenDays)));
  if (at > now && at <= now + Days(kMaxTokenDays)) return at;
  return Fail(Code::kInvalid,
              fmt::format("expiresAt: must lie within the next {} days", kMaxTokenDays));
}

Result<Answer> CreateToken(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(Time expires, ExpiryOf(body, call.now()));
  std::string secret = control::MakeSecret(call.service().random());
  control::PersonalTokenDraft draft{.name = std::string(body.at("name").as_string()),
                                    .secret_hash = control::HashSecret(secret),
                                    .expires_at = expires};
  return Commit([draft](Txn& txn) { return control::CreatePersonalToken(txn, draft); },
                [secret](const Ptr<PersonalToken>& token) {
                  std::string out;
                  wire::Writer w(out);
                  w.Begin();
                  w("id", token->id);
                  w("name", token->name);
                  w("createdAt", token->stamp.created_at);
                  w("expiresAt", token->expires_at);
                  w("token", control::JoinPersonalToken(token->id, secret));
                  w.End();
                  return Json(std::move(out), 201);
                });
}

Result<Answer> DeleteToken(Call& call) {
  YARD_ASSIGN(Uuid id, UuidOf(call, "tokenId", "token"));
  return Commit([id](Txn& txn) { return control::DeletePersonalToken(txn, TokenId{id}); },
                [] { return Empty(204); });
}

}  // namespace

void AddMeRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(
      routes.end(),
      {{kGet, "/api/v1/me", SignedIn(), GetMe, "Who is signed in, with which roles", "", "Me"},
       {kPost, "/api/v1/me/password", SignedIn(), ChangePassword, "Change one's own password",
        "PasswordChange", "object"},
       {kGet, "/api/v1/me/tokens", SignedIn(), ListTokens, "List one's personal tokens", "",
        "[PersonalToken]"},
       {kPost, "/api/v1/me/tokens", SignedIn(), CreateToken, "Make a personal token",
        "PersonalTokenDraft", "PersonalTokenCreated", 201},
       {kDelete, "/api/v1/me/tokens/{tokenId}", SignedIn(), DeleteToken, "Delete a personal token",
        "", "", 204}});
}

}  // namespace yard::api
