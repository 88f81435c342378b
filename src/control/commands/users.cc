#include "control/commands/users.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"
#include "control/auth/machine_accounts.h"
#include "control/commands/access_rules.h"
#include "control/commands/sessions.h"
#include "control/notify/rules.h"

namespace yard::control {
namespace {

// Assigning a machine account is a right of its own, of the whole tenant: the account reaches
// files and programs that no scope of the organisation holds.
bool MayAssignAccounts(const Txn& txn) {
  return Access(txn.state(), txn.who()).May(Resource::kMachineAccounts, Action::kUpdate, {});
}

Status CheckUnixName(Txn& txn, std::string_view name, UserId self) {
  YARD_TRY(txn.Require(Resource::kMachineAccounts, Action::kUpdate, {}));
  Ptr<User> holder = name.empty() ? nullptr : HolderOfAccount(txn.state(), name, self);
  if (!holder) return {};
  return Fail(Code::kConflict,
              fmt::format("unixName: '{}' belongs to {} already", name, holder->email),
              "take it from them first: set their unixName to another account or to \"\"");
}

// Whether the e-mail of a new user names their machine account: only if the caller may assign
// accounts, and the one who has it already keeps it.
bool MapsByEmail(const Txn& txn, const UserDraft& draft, std::string_view email, UserId self) {
  return !draft.unix_name && MayAssignAccounts(txn) &&
         !HolderOfAccount(txn.state(), LocalPartOf(email), self);
}

// Work that has not ended belongs to an e-mail. Somebody with a new password for it, or with a new
// account of that name, would enter what runs under the user's machine account.
Status KeepWorkFrom(const Txn& txn, const User& user) {
  std::optional<std::string> account = AccountNameOf(user);
  if (!account || MayAssignAccounts(txn)) return {};
  bool works = false;
  txn.state().Of<Workload>().Each([&](const Workload& workload) {
    works = workload.stamp.created_by == user.email && !HasEnded(workload.life);
    return !works;
  });
  if (!works) return {};
  return Fail(Code::kForbidden,
              fmt::format("{} has work on the machine as '{}'", user.email, *account),
              "ask somebody who may assign machine accounts, or try again when it has ended");
}

// Somebody who sets a user's password can act as that user, with the user's machine account. A
// caller who may not assign accounts must not come to one this way.
Status KeepAccountFrom(const Txn& txn, User& user) {
  if (MayAssignAccounts(txn)) return {};
  if (user.unix_name) {
    return Fail(Code::kForbidden,
                fmt::format("{} works on the machine as '{}'", user.email, *user.unix_name),
                "ask somebody who may assign machine accounts to reset the password");
  }
  user.unix_by_email = false;
  return {};
}

// Joining a group is being granted its roles.
Status CheckGroups(Txn& txn, const std::vector<std::string>& groups,
                   const std::vector<std::string>& had) {
  for (const std::string& group : groups) {
    if (std::ranges::find(had, group) != had.end()) continue;
    YARD_TRY(RequireHoldsAllOf(txn, SubjectType::kGroup, group));
  }
  return {};
}

// The account, if the caller may manage it and everything it stands for.
Result<Ptr<User>> Managed(Txn& txn, UserId id, Action action) {
  YARD_TRY(txn.RequireSomewhere(Resource::kUsers, action));
  YARD_ASSIGN(Ptr<User> user, GetUser(txn.state(), id));
  YARD_TRY(RequireHoldsAllOf(txn, SubjectType::kUser, user->email));
  for (const std::string& group : user->groups) {
    YARD_TRY(RequireHoldsAllOf(txn, SubjectType::kGroup, group));
  }
  return user;
}

template <class T>
std::vector<typename T::Id> OwnedBy(const State& state, UserId owner) {
  std::vector<typename T::Id> ids;
  state.Of<T>().Each([&](const T& object) {
    if (object.owner == owner) ids.push_back(object.id);
  });
  return ids;
}

// Ends all that acts as the user: sessions, personal tokens, the user's own applications. These
// sign in again with a new secret.
void EndAccessOf(Txn& txn, User& user) {
  ++user.session_epoch;
  EndSessionsOf(txn, user.id.value);
  for (TokenId token : OwnedBy<PersonalToken>(txn.state(), user.id))
    txn.Erase<PersonalToken>(token);
  for (ApplicationId id : OwnedBy<Application>(txn.state(), user.id)) {
    Application app = *txn.state().Find<Application>(id);
    app.enabled = false;
    ++app.session_epoch;
    EndSessionsOf(txn, id.value);
    txn.Put(std::move(app));
  }
}

}  // namespace

Result<Ptr<User>> GetUser(const State& state, UserId id) {
  if (Ptr<User> user = state.Find<User>(id)) return user;
  return Fail(Code::kNotFound, fmt::format("there is no user {}", FormatUuid(id.value)));
}

Result<Ptr<User>> CreateUser(Txn& txn, const UserDraft& draft) {
  YARD_TRY(txn.RequireSomewhere(Resource::kUsers, Action::kCreate));
  std::string email = Lower(draft.email);
  if (txn.state().UserByEmail(email)) {
    return Fail(Code::kConflict, fmt::format("there is a user {} already", email),
                "reset the password of the account that is there if it is lost");
  }
  YARD_TRY(CheckGroups(txn, draft.groups, {}));
  UserId id{txn.NewUuid()};
  if (draft.unix_name) YARD_TRY(CheckUnixName(txn, *draft.unix_name, id));
  bool by_email = MapsByEmail(txn, draft, email, id);
  return txn.Put(User{.id = id,
                      .email = std::move(email),
                      .password_hash = draft.password_hash,
                      .must_change_password = draft.must_change_password,
                      .groups = draft.groups,
                      .unix_name = draft.unix_name,
                      .unix_by_email = by_email,
                      .stamp = txn.NewStamp()});
}

Result<Ptr<User>> UpdateUser(Txn& txn, UserId id, const UserEdit& edit) {
  YARD_ASSIGN(Ptr<User> current, Managed(txn, id, Action::kUpdate));
  User user = *current;
  if (edit.groups) {
    YARD_TRY(CheckGroups(txn, *edit.groups, user.groups));
    user.groups = *edit.groups;
  }
  if (edit.unix_name) {
    YARD_TRY(CheckUnixName(txn, *edit.unix_name, id));
    user.unix_name = edit.unix_name->empty() ? std::nullopt : edit.unix_name;
    user.unix_by_email = false;
  }
  txn.Touch(user.stamp);
  Ptr<User> changed = txn.Put(std::move(user));
  YARD_TRY(CheckAdministratorLeft(txn.state()));
  return changed;
}

Status DeleteUser(Txn& txn, UserId id) {
  YARD_ASSIGN(Ptr<User> user, Managed(txn, id, Action::kDelete));
  YARD_TRY(KeepWorkFrom(txn, *user));
  EndRulesOf(txn, SubjectType::kUser, user->email);
  EndSessionsOf(txn, id.value);
  for (ApplicationId app : OwnedBy<Application>(txn.state(), id)) {
    EndSessionsOf(txn, app.value);
    txn.Erase<Application>(app);
  }
  for (TokenId token : OwnedBy<PersonalToken>(txn.state(), id)) txn.Erase<PersonalToken>(token);
  for (NotifyRuleId rule : OwnedBy<NotifyRule>(txn.state(), id)) EraseNotifyRule(txn, rule);
  txn.Erase<User>(id);
  return CheckAdministratorLeft(txn.state());
}

Result<Ptr<User>> ResetPassword(Txn& txn, UserId id, std::string password_hash) {
  YARD_ASSIGN(Ptr<User> current, Managed(txn, id, Action::kUpdate));
  User user = *current;
  if (user.external_id) {
    return Fail(Code::kPrecondition,
                fmt::format("{} signs in at the identity provider", user.email),
                "reset the password there");
  }
  YARD_TRY(KeepWorkFrom(txn, user));
  YARD_TRY(KeepAccountFrom(txn, user));
  user.password_hash = std::move(password_hash);
  user.must_change_password = true;
  user.has_first_password = false;
  EndAccessOf(txn, user);
  txn.Touch(user.stamp);
  txn.Add({"reset-password", "user", FormatUuid(id.value), user.email});
  return txn.Put(std::move(user));
}

Status SignOutUser(Txn& txn, UserId id) {
  YARD_ASSIGN(Ptr<User> current, Managed(txn, id, Action::kUpdate));
  User user = *current;
  EndAccessOf(txn, user);
  txn.Add({"sign-out", "user", FormatUuid(id.value), user.email});
  txn.Put(std::move(user));
  return {};
}

Status SignOutSelf(Txn& txn) {
  if (!txn.who().user) {
    return Fail(Code::kForbidden, "only a user has sessions to end", "sign in as a user");
  }
  YARD_ASSIGN(Ptr<User> current, GetUser(txn.state(), *txn.who().user));
  User user = *current;
  EndAccessOf(txn, user);
  txn.Add({"sign-out", "user", FormatUuid(user.id.value), user.email});
  txn.Put(std::move(user));
  return {};
}

Result<Ptr<User>> ChangeOwnPassword(Txn& txn, const PasswordChange& change) {
  YARD_ASSIGN(Ptr<User> current, GetUser(txn.state(), change.user));
  if (current->password_hash != change.checked_hash) {
    return Fail(Code::kConflict, "the password was changed in the meantime", "sign in again");
  }
  User user = *current;
  user.password_hash = change.new_hash;
  user.must_change_password = false;
  user.has_first_password = false;
  ++user.session_epoch;
  EndSessionsOf(txn, user.id.value);
  txn.Touch(user.stamp);
  txn.Add({"reset-password", "user", FormatUuid(user.id.value), user.email});
  return txn.Put(std::move(user));
}

Result<Ptr<User>> RecordSignIn(Txn& txn, UserId id) {
  YARD_ASSIGN(Ptr<User> current, GetUser(txn.state(), id));
  User user = *current;
  user.last_login = txn.now();
  txn.Add({"sign-in", "user", FormatUuid(id.value), user.email});
  return txn.Put(std::move(user));
}

Result<Ptr<Application>> RecordAppSignIn(Txn& txn, ApplicationId id) {
  Ptr<Application> current = txn.state().Find<Application>(id);
  if (!current) return Fail(Code::kUnauthorized, "the application was deleted");
  Application app = *current;
  app.last_login = txn.now();
  txn.Add({"sign-in", "application", FormatUuid(id.value), app.name});
  return txn.Put(std::move(app));
}

void RecordFailedSignIn(Txn& txn, const std::string& subject) {
  txn.Add({"sign-in", "user", "", subject.substr(0, 256), 401});
}

Result<Ptr<PersonalToken>> CreatePersonalToken(Txn& txn, const PersonalTokenDraft& draft) {
  if (!txn.who().user) {
    return Fail(Code::kForbidden, "only a user can have personal tokens",
                "an application signs in with its client id and secret");
  }
  std::size_t count = 0;
  bool taken = false;
  txn.state().Of<PersonalToken>().Each([&](const PersonalToken& token) {
    if (token.owner != *txn.who().user) return;
    ++count;
    taken = taken || token.name == draft.name;
  });
  if (taken) {
    return Fail(Code::kConflict, fmt::format("you have a token named '{}' already", draft.name),
                "choose another name, or delete the one that is there");
  }
  if (count >= kMaxPersonalTokens) {
    return Fail(Code::kConflict, fmt::format("you have {} tokens already", count),
                "delete one that you no longer use");
  }
  return txn.Put(PersonalToken{.id = TokenId{txn.NewUuid()},
                               .owner = *txn.who().user,
                               .name = draft.name,
                               .secret_hash = draft.secret_hash,
                               .expires_at = draft.expires_at,
                               .stamp = txn.NewStamp()});
}

Status RevokePersonalToken(Txn& txn, TokenId id) {
  YARD_TRY(txn.RequireSomewhere(Resource::kUsers, Action::kUpdate));
  Ptr<PersonalToken> token = txn.state().Find<PersonalToken>(id);
  if (!token)
    return Fail(Code::kNotFound, fmt::format("there is no token {}", FormatUuid(id.value)));
  YARD_TRY(Managed(txn, token->owner, Action::kUpdate));
  txn.Erase<PersonalToken>(id);
  return {};
}

Status DeletePersonalToken(Txn& txn, TokenId id) {
  Ptr<PersonalToken> token = txn.state().Find<PersonalToken>(id);
  if (!token || !txn.who().user || token->owner != *txn.who().user) {
    return Fail(Code::kNotFound, fmt::format("you have no token {}", FormatUuid(id.value)));
  }
  txn.Erase<PersonalToken>(id);
  return {};
}

}  // namespace yard::control
