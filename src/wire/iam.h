// Users, applications, roles and access rules on the wire.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

#include "base/json.h"
#include "base/result.h"
#include "model/access.h"
#include "wire/writer.h"

namespace yard::wire {

// There is one tenant; the contract wants a number for it.
inline constexpr int kTenantId = 1;

void WriteUser(Writer& w, const User& user);
void WriteApplication(Writer& w, const Application& app);
// A user's own application; `created_by` is left out where it is empty.
void WriteOwnApplication(Writer& w, const Application& app, std::string_view created_by);
void WritePersonalToken(Writer& w, const PersonalToken& token);
// With its owner, for those who manage users.
void WriteUsersToken(Writer& w, const PersonalToken& token, std::string_view owner);

// How people call a resource type, and the group it is shown in.
struct ResourceLabel {
  Resource resource;
  std::string_view display_name;
  std::string_view group;
};
const ResourceLabel& LabelOf(Resource resource);

using PermissionMap = std::map<Resource, ActionSet>;
// Resources that allow nothing are left out.
void WritePermissions(Writer& w, const PermissionMap& permissions);
// Valid against its schema already; an unknown resource type is an error.
Result<PermissionMap> ReadPermissions(const json::array& list);
void WriteRole(Writer& w, const Role& role);

struct AccessRuleView {
  const AccessRule* rule = nullptr;
  std::string role_name;
  std::string scope_name;
  std::optional<ClusterId> cluster;
  std::optional<std::string> scope_path;
};
void WriteAccessRule(Writer& w, const AccessRuleView& view);
// The id of a scope as clients see it: the tenant has one too.
std::string ScopeIdText(const Scope& scope);

}  // namespace yard::wire
