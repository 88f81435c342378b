// Commands on people: accounts, passwords, sessions, personal tokens.
//
// Passwords and secrets arrive hashed (control/identity.h), since hashing is too slow for the
// reactor. Who manages an account must hold everything that account may do, or a password reset
// would be a way to more rights. A unixName arrives checked (control/auth/machine_accounts.h),
// since the machine's accounts are too slow to ask on the reactor. Reactor thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/access.h"

namespace yard::control {

struct UserDraft {
  std::string email;
  std::string password_hash;
  bool must_change_password = true;
  std::vector<std::string> groups;
  // Needs the permission on machine accounts. Absent: the local part of the e-mail is the account's
  // name if the caller has that permission and nobody has the account yet; else there is none.
  std::optional<std::string> unix_name;
};
Result<Ptr<User>> CreateUser(Txn& txn, const UserDraft& draft);

// What an administrator may change on an account; what is absent stays.
struct UserEdit {
  std::optional<std::vector<std::string>> groups;
  std::optional<std::string> unix_name;  // empty: none
};
Result<Ptr<User>> UpdateUser(Txn& txn, UserId id, const UserEdit& edit);
// Their rules, applications, tokens and notifications go too. Refused for the last administrator,
// and, to a caller who may not assign machine accounts, while work runs under the user's.
Status DeleteUser(Txn& txn, UserId id);
// A new temporary password; ends every session. A caller who may not assign machine accounts ends
// the account that the user has by e-mail, and is refused for a user with a unixName or with work
// that runs under the account.
Result<Ptr<User>> ResetPassword(Txn& txn, UserId id, std::string password_hash);
// Ends every session, personal token and own application, as a reset does too.
Status SignOutUser(Txn& txn, UserId id);
// The same for oneself.
Status SignOutSelf(Txn& txn);

// The owner's own change, after the current password was found right against `checked_hash`.
struct PasswordChange {
  UserId user;
  std::string checked_hash;
  std::string new_hash;
};
Result<Ptr<User>> ChangeOwnPassword(Txn& txn, const PasswordChange& change);

// A successful sign-in: noted in the journal, with its time on the account.
Result<Ptr<User>> RecordSignIn(Txn& txn, UserId id);
Result<Ptr<Application>> RecordAppSignIn(Txn& txn, ApplicationId id);
// A failed one: noted only.
void RecordFailedSignIn(Txn& txn, const std::string& subject);

struct PersonalTokenDraft {
  std::string name;
  std::string secret_hash;
  Time expires_at;
};
inline constexpr std::size_t kMaxPersonalTokens = 50;
Result<Ptr<PersonalToken>> CreatePersonalToken(Txn& txn, const PersonalTokenDraft& draft);
Status DeletePersonalToken(Txn& txn, TokenId id);
// Somebody else's, by who may manage that user.
Status RevokePersonalToken(Txn& txn, TokenId id);

Result<Ptr<User>> GetUser(const State& state, UserId id);

}  // namespace yard::control
