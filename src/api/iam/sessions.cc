// One's own sessions, and the personal tokens of others for those who manage them.
#include "control/commands/sessions.h"

#include <fmt/format.h>

#include "api/groups.h"
#include "api/handler.h"
#include "api/iam/iam_views.h"
#include "control/commands/users.h"
#include "wire/iam.h"

namespace yard::api {
namespace {

using control::Txn;

Result<UserId> Myself(const Call& call) {
  if (call.who().user) return *call.who().user;
  return Fail(Code::kForbidden, "only a user can do this", "sign in as a user");
}

Result<Answer> ListSessions(Call& call) {
  YARD_ASSIGN(UserId user, Myself(call));
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  for (const Ptr<LoginSession>& session : call.state().SessionsOf(user.value)) {
    if (session->expires_at <= call.now()) continue;
    w.Item();
    w.Begin();
    w("id", session->id);
    w("address", session->address);
    w("createdAt", session->created_at);
    w("usedAt", session->used_at);
    w("expiresAt", session->expires_at);
    w("current", call.who().session == session->id);
    w.End();
  }
  w.EndList();
  return Json(std::move(out));
}

// "current" stands for the session that the request belongs to.
Result<SessionId> SessionIdOf(const Call& call) {
  if (call.Path("sessionId") != "current") {
    YARD_ASSIGN(Uuid id, UuidOf(call, "sessionId", "session"));
    return SessionId{id};
  }
  if (call.who().session) return *call.who().session;
  return Fail(Code::kNotFound, "this request belongs to no session",
              "it was sent with a personal token, by an application or on the local socket");
}

Result<Answer> EndSession(Call& call) {
  YARD_ASSIGN(SessionId id, SessionIdOf(call));
  return Commit([id](Txn& txn) { return control::EndOwnSession(txn, id); },
                [] { return Empty(204); });
}

Result<Answer> SignOut(Call& call) {
  YARD_TRY(Myself(call));
  return Commit([](Txn& txn) { return control::SignOutSelf(txn); }, [] { return Empty(204); });
}

// Every user's personal tokens, for those who manage users.
Result<Answer> ListTokens(Call& call) {
  std::optional<std::string_view> creator = call.Query("createdBy");
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<PersonalToken>().Each([&](const PersonalToken& token) {
    Ptr<User> owner = call.state().Find<User>(token.owner);
    if (!owner || (creator && *creator != owner->email)) return;
    w.Item();
    wire::WriteUsersToken(w, token, owner->email);
  });
  w.EndList();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> RevokeToken(Call& call) {
  YARD_ASSIGN(Uuid id, UuidOf(call, "tokenId", "token"));
  return Commit([id](Txn& txn) { return control::RevokePersonalToken(txn, TokenId{id}); },
                [] { return Empty(204); });
}

}  // namespace

void AddLoginSessionRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(
      routes.end(),
      {{kGet, "/api/v1/me/sessions", SignedIn(), ListSessions, "List one's own sessions", "",
        "[LoginSession]"},
       {kDelete, "/api/v1/me/sessions/{sessionId}", SignedIn(), EndSession,
        "End one of one's own sessions; `current` is this one", "", "", 204},
       {kPost, "/api/v1/me/logout", SignedIn(), SignOut,
        "End all of one's own sessions, personal tokens and applications", "", "", 204},
       {kGet,
        "/api/v1/administration/tokens",
        May(Action::kRead, Resource::kUsers),
        ListTokens,
        "List users' personal tokens",
        "",
        "[UsersToken]",
        200,
        {{"createdBy", "string"}}},
       {kDelete, "/api/v1/administration/tokens/{tokenId}", May(Action::kUpdate, Resource::kUsers),
        RevokeToken, "Revoke a user's personal token", "", "", 204}});
}

}  // namespace yard::api
