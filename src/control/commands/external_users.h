// Users who sign in at an identity provider.
//
// The provider says who somebody is and which groups they are in; access rules that name these
// groups say what they may do. Somebody new becomes a user if at least one rule names one of their
// groups. Their groups are the provider's at every sign-in. Such a user has no password here, and
// no machine account until one is assigned. Reactor thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/access.h"

namespace yard::control {

struct ExternalPerson {
  std::string id;     // issuer and subject: never given to somebody else
  std::string email;  // lower case
  std::vector<std::string> groups;
};

// Whether a user who signs in here so far may go on as the one of the same e-mail there.
enum class TakeOver { kNever, kByEmail };

// The user, made if need be; the sign-in is noted. kForbidden if no rule names a group of a new
// one, kConflict if the e-mail is another user's.
Result<Ptr<User>> SignInExternal(Txn& txn, const ExternalPerson& person, TakeOver take_over);

}  // namespace yard::control
