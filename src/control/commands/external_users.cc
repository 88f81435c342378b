#include "control/commands/external_users.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/commands/users.h"

namespace yard::control {
namespace {

Ptr<User> Known(const State& state, const std::string& external_id) {
  Ptr<User> found;
  state.Of<User>().Each([&](const User& user) {
    if (user.external_id == external_id) found = state.Find<User>(user.id);
    return !found;
  });
  return found;
}

Result<User> NewUser(Txn& txn, const ExternalPerson& person) {
  bool named = std::ranges::any_of(person.groups, [&](const std::string& group) {
    return !txn.state().RulesOf(SubjectType::kGroup, group).empty();
  });
  if (!named) {
    return Fail(Code::kForbidden,
                fmt::format("{} is in no group that an access rule names", person.email),
                "ask an administrator to grant a role to one of your groups");
  }
  return User{.id = UserId{txn.NewUuid()},
              .email = person.email,
              .local = false,
              .external_id = person.id,
              .stamp = txn.NewStamp()};
}

// The user as it was so far, or a new one.
Result<User> Before(Txn& txn, const ExternalPerson& person, TakeOver take_over) {
  if (Ptr<User> known = Known(txn.state(), person.id)) return *known;
  Ptr<User> same = txn.state().UserByEmail(person.email);
  if (!same) return NewUser(txn, person);
  if (same->external_id || take_over == TakeOver::kNever) {
    return Fail(Code::kConflict,
                fmt::format("there is a user {} already, who signs in another way", person.email),
                "sign in with the password, or ask an administrator to set oidc-take-over or to "
                "delete that user");
  }
  User user = *same;
  user.external_id = person.id;
  user.local = false;
  user.password_hash.clear();
  user.must_change_password = false;
  return user;
}

}  // namespace

Result<Ptr<User>> SignInExternal(Txn& txn, const ExternalPerson& person, TakeOver take_over) {
  YARD_ASSIGN(User user, Before(txn, person, take_over));
  user.groups = person.groups;
  txn.Touch(user.stamp);
  UserId id = user.id;
  txn.Put(std::move(user));
  return RecordSignIn(txn, id);
}

}  // namespace yard::control
