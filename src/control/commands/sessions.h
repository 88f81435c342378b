// Sign-ins and what follows from them: opened, renewed, ended.
//
// Every renewal makes the next generation of a session, and its refresh token is good once. A
// token of an older generation has been copied: the session ends, for the thief and the owner
// alike. A session ends a week after the sign-in at the latest. Reactor thread.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/access.h"

namespace yard::control {

// Of one subject; beyond it the one that was used the longest ago ends.
inline constexpr std::size_t kMaxSessions = 1000;

Ptr<LoginSession> OpenSession(Txn& txn, const Uuid& subject, std::string address);
// The next generation; null if the generation was renewed before: the session has ended then,
// which is to be stored. kUnauthorized if there is no such session.
Result<Ptr<LoginSession>> RenewSession(Txn& txn, SessionId id, std::int64_t generation);
// One's own. kNotFound if it is somebody else's.
Status EndOwnSession(Txn& txn, SessionId id);
// Every one of a user or an application.
void EndSessionsOf(Txn& txn, const Uuid& subject);

}  // namespace yard::control
