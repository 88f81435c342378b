#include "control/commands/sessions.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/auth/tokens.h"

namespace yard::control {
namespace {

// Sessions that nobody can renew any more go first.
void MakeRoom(Txn& txn, const Uuid& subject) {
  std::vector<Ptr<LoginSession>> sessions = txn.state().SessionsOf(subject);
  if (sessions.size() < kMaxSessions) return;
  std::size_t gone = 0;
  for (const Ptr<LoginSession>& session : sessions) {
    if (session->used_at + kRefreshLifetime > txn.now()) continue;
    txn.Erase<LoginSession>(session->id);
    ++gone;
  }
  if (gone > 0) return;
  auto oldest = std::ranges::min_element(
      sessions, {}, [](const Ptr<LoginSession>& session) { return session->used_at; });
  txn.Erase<LoginSession>((*oldest)->id);
}

}  // namespace

Ptr<LoginSession> OpenSession(Txn& txn, const Uuid& subject, std::string address) {
  MakeRoom(txn, subject);
  return txn.Put(LoginSession{.id = SessionId{txn.NewUuid()},
                              .subject = subject,
                              .address = std::move(address),
                              .created_at = txn.now(),
                              .used_at = txn.now(),
                              .expires_at = txn.now() + kSessionLifetime});
}

Result<Ptr<LoginSession>> RenewSession(Txn& txn, SessionId id, std::int64_t generation) {
  Ptr<LoginSession> current = txn.state().Find<LoginSession>(id);
  if (!current || txn.now() >= current->expires_at) {
    return Fail(Code::kUnauthorized, "this session has ended", "sign in again");
  }
  if (current->generation != generation) {
    txn.Erase<LoginSession>(id);
    return nullptr;
  }
  LoginSession session = *current;
  ++session.generation;
  session.used_at = txn.now();
  return txn.Put(std::move(session));
}

Status EndOwnSession(Txn& txn, SessionId id) {
  Ptr<LoginSession> session = txn.state().Find<LoginSession>(id);
  bool own = session && txn.who().user && session->subject == txn.who().user->value;
  if (!own) {
    return Fail(Code::kNotFound, fmt::format("you have no session {}", FormatUuid(id.value)));
  }
  txn.Erase<LoginSession>(id);
  return {};
}

void EndSessionsOf(Txn& txn, const Uuid& subject) {
  for (const Ptr<LoginSession>& session : txn.state().SessionsOf(subject)) {
    txn.Erase<LoginSession>(session->id);
  }
}

}  // namespace yard::control
