// The one authorisation check.
//
// A principal may do an action on a resource at a scope if some access rule that names it (or a
// group it belongs to) grants a role with that permission at that scope or above it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "control/state/state.h"
#include "model/access.h"

namespace yard::control {

// Who is asking, after authentication.
struct Principal {
  SubjectType type = SubjectType::kUser;
  std::string id;  // e-mail or client id, as access rules name it
  std::vector<std::string> groups;
  std::optional<UserId> user;  // the account behind it: also for a user's own application or token
  std::optional<SessionId> session;  // the sign-in whose token was sent
  bool system = false;               // the server itself: may do everything
};

// The server acting on its own behalf.
Principal SystemPrincipal();

// What one principal may do, resolved once against one State.
class Access {
 public:
  Access(const State& state, const Principal& principal);

  bool May(Resource resource, Action action, const ScopePath& where) const;
  // At least at one scope.
  bool MaySomewhere(Resource resource, Action action) const;
  // Every scope at which the action is granted, as the rules state them.
  std::vector<ScopePath> Where(Resource resource, Action action) const;
  // Every permission, merged over all scopes.
  std::map<Resource, ActionSet> Everything() const;

 private:
  struct Grant {
    ScopePath path;
    Ptr<Role> role;
  };
  void AddRules(const State& state, SubjectType type, const std::string& subject);

  bool all_ = false;
  std::vector<Grant> grants_;
};

// kForbidden with who, what and where, unless allowed.
Status Authorize(const State& state, const Principal& principal, Resource resource, Action action,
                 const ScopePath& where);

}  // namespace yard::control
