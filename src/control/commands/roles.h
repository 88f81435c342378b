// Commands on custom roles. Predefined roles are the code's and stay as they are.
//
// Nobody may make a role that allows more than they may do in the whole tenant. Reactor thread.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "control/state/txn.h"
#include "model/access.h"

namespace yard::control {

inline constexpr std::size_t kMaxCustomRoles = 200;

struct RoleDraft {
  std::string name;
  std::string description;
  std::map<Resource, ActionSet> permissions;
};

Result<Ptr<Role>> CreateRole(Txn& txn, const RoleDraft& draft);
Result<Ptr<Role>> UpdateRole(Txn& txn, RoleId id, const RoleDraft& draft);
// Refused while rules grant it.
Status DeleteRole(Txn& txn, RoleId id);
Result<Ptr<Role>> GetRole(const State& state, RoleId id);

}  // namespace yard::control
