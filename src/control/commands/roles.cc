#include "control/commands/roles.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "control/commands/access_rules.h"

namespace yard::control {
namespace {

Status CheckName(const State& state, std::string_view name, RoleId self) {
  if (Trim(name).empty()) return Fail(Code::kInvalid, "name: a role needs a name");
  Status status;
  state.Of<Role>().Each([&](const Role& other) {
    if (other.id == self || !EqualsIgnoreCase(other.name, name)) return true;
    status = Fail(Code::kConflict, fmt::format("there is a role '{}' already", other.name),
                  "choose another name");
    return false;
  });
  return status;
}

// The role, if it is a custom one that the caller holds in full.
Result<Ptr<Role>> Editable(Txn& txn, RoleId id, Action action) {
  YARD_TRY(txn.Require(Resource::kRoles, action, {}));
  YARD_ASSIGN(Ptr<Role> role, GetRole(txn.state(), id));
  if (role->predefined) {
    return Fail(Code::kConflict, fmt::format("'{}' comes with the product", role->name),
                "make a custom role with the permissions you want");
  }
  YARD_TRY(RequireHolds(txn, *role, {}));
  return role;
}

Role Fill(Role role, const RoleDraft& draft) {
  role.name = draft.name;
  role.description = draft.description;
  role.permissions = draft.permissions;
  return role;
}

}  // namespace

Result<Ptr<Role>> GetRole(const State& state, RoleId id) {
  if (Ptr<Role> role = state.Find<Role>(id)) return role;
  return Fail(Code::kNotFound, fmt::format("there is no role {}", id.value));
}

Result<Ptr<Role>> CreateRole(Txn& txn, const RoleDraft& draft) {
  YARD_TRY(txn.Require(Resource::kRoles, Action::kCreate, {}));
  YARD_TRY(CheckName(txn.state(), draft.name, RoleId{}));
  std::size_t custom = 0;
  txn.state().Of<Role>().Each([&](const Role& role) { custom += !role.predefined; });
  if (custom >= kMaxCustomRoles) {
    return Fail(Code::kConflict, fmt::format("there are {} custom roles already", custom),
                "delete one that is no longer granted");
  }
  Role role = Fill({}, draft);
  YARD_TRY(RequireHolds(txn, role, {}));
  role.id = RoleId{txn.Next("role")};
  role.stamp = txn.NewStamp();
  return txn.Put(std::move(role));
}

Result<Ptr<Role>> UpdateRole(Txn& txn, RoleId id, const RoleDraft& draft) {
  YARD_ASSIGN(Ptr<Role> current, Editable(txn, id, Action::kUpdate));
  YARD_TRY(CheckName(txn.state(), draft.name, id));
  Role role = Fill(*current, draft);
  YARD_TRY(RequireHolds(txn, role, {}));
  txn.Touch(role.stamp);
  return txn.Put(std::move(role));
}

Status DeleteRole(Txn& txn, RoleId id) {
  YARD_ASSIGN(Ptr<Role> role, Editable(txn, id, Action::kDelete));
  std::size_t grants = 0;
  txn.state().Of<AccessRule>().Each(
      [&](const AccessRule& rule) { grants += !rule.deleted_at && rule.role == id; });
  if (grants > 0) {
    return Fail(Code::kConflict, fmt::format("'{}' is granted by {} rules", role->name, grants),
                "delete those access rules first");
  }
  txn.Erase<Role>(id);
  return {};
}

}  // namespace yard::control
