#include "wire/iam.h"

#include <array>

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "base/check.h"

namespace yard::wire {
namespace {

using enum Resource;

constexpr std::array<ResourceLabel, 39> kLabels{{
    {kDepartment, "Departments", "organization"},
    {kTenant, "Account", "organization"},
    {kProject, "Projects", "organization"},
    {kCluster, "Clusters", "physical-resource"},
    {kClusterConfig, "Cluster configuration", "physical-resource"},
    {kNodePools, "Node pools", "physical-resource"},
    {kNodes, "Nodes", "physical-resource"},
    {kSettings, "Settings", "organization"},
    {kUsers, "Users", "iam"},
    {kGroups, "Groups", "iam"},
    {kApps, "Applications", "iam"},
    {kDashboardsOverview, "Overview dashboard", "dashboard"},
    {kDashboardsAnalytics, "Analytics dashboard", "dashboard"},
    {kDashboardsConsumption, "Consumption dashboard", "dashboard"},
    {kRoles, "Roles", "iam"},
    {kAccessRules, "Access rules", "iam"},
    {kJobs, "Jobs", "workload"},
    {kWorkloads, "Workloads", "workload"},
    {kWorkspaces, "Workspaces", "workload"},
    {kTrainings, "Trainings", "workload"},
    {kInferences, "Inferences", "workload"},
    {kEnvironments, "Environments", "workload-asset"},
    {kPvcAssets, "PVC data sources", "workload-asset"},
    {kGitAssets, "Git data sources", "workload-asset"},
    {kHostPathAssets, "Host path data sources", "workload-asset"},
    {kNfsAssets, "NFS data sources", "workload-asset"},
    {kS3Assets, "S3 data sources", "workload-asset"},
    {kComputeResources, "Compute resources", "workload-asset"},
    {kTemplates, "Templates", "workload-asset"},
    {kCredentials, "Credentials", "workload-asset"},
    {kEventsHistory, "Event history", "organization"},
    {kPolicies, "Policies", "organization"},
    {kConfigMapAssets, "ConfigMap data sources", "workload-asset"},
    {kDataVolumes, "Data volumes", "workload-asset"},
    {kDataVolumesSharing, "Data volumes - sharing list", "workload-asset"},
    {kSecretAssets, "Secret data sources", "workload-asset"},
    {kStorageClasses, "Storage class configuration", "physical-resource"},
    {kPersonalApps, "User applications", "iam"},
    {kMachineAccounts, "Machine accounts", "iam"},
}};

void WriteMetadata(Writer& w, std::int64_t id, const Stamp& stamp) {
  w("id", id);
  w("createdAt", stamp.created_at);
  w("updatedAt", stamp.updated_at);
  w("tenantId", kTenantId);
  w("createdBy", stamp.created_by);
}

// Run:ai's clients refuse an answer with a resource type that their contract does not name.
bool IsInContract(Resource resource) {
  return resource != Resource::kMachineAccounts;
}

}  // namespace

void WriteUser(Writer& w, const User& user) {
  w.Begin();
  w("id", user.id);
  w("username", user.email);
  w("createdBy", user.stamp.created_by);
  w("createdAt", user.stamp.created_at);
  w("updatedAt", user.stamp.updated_at);
  w.OrNull("lastLogin", user.last_login);
  w("isLocal", user.local);
  w("groups", user.groups);
  w("unixName", user.unix_name);
  w.End();
}

void WriteApplication(Writer& w, const Application& app) {
  w.Begin();
  w("id", app.id);
  w("name", app.name);
  w("clientId", app.client_id);
  w("createdBy", app.stamp.created_by);
  w("createdAt", app.stamp.created_at);
  w("updatedAt", app.stamp.updated_at);
  w("enabled", app.enabled);
  w("tenantId", std::to_string(kTenantId));
  w.OrNull("lastLogin", app.last_login);
  w.End();
}

void WriteOwnApplication(Writer& w, const Application& app, std::string_view created_by) {
  w.Begin();
  w("id", app.id);
  w("name", app.name);
  w("clientId", app.client_id);
  if (!created_by.empty()) w("createdBy", created_by);
  w("createdAt", app.stamp.created_at);
  w.OrNull("lastLogin", app.last_login);
  w.End();
}

void WriteUsersToken(Writer& w, const PersonalToken& token, std::string_view owner) {
  w.Begin();
  w("id", token.id);
  w("name", token.name);
  if (!owner.empty()) w("createdBy", owner);
  w("createdAt", token.stamp.created_at);
  w("expiresAt", token.expires_at);
  w.End();
}

void WritePersonalToken(Writer& w, const PersonalToken& token) {
  WriteUsersToken(w, token, "");
}

const ResourceLabel& LabelOf(Resource resource) {
  const ResourceLabel& label = kLabels.at(static_cast<std::size_t>(resource));
  YARD_CHECK(label.resource == resource);
  return label;
}

void WritePermissions(Writer& w, const PermissionMap& permissions) {
  w.BeginList();
  for (const auto& [resource, actions] : permissions) {
    if (actions == kNoActions || !IsInContract(resource)) continue;
    w.Item();
    w.Begin();
    w("resourceType", resource);
    w("displayName", LabelOf(resource).display_name);
    w("groupId", LabelOf(resource).group);
    w.Key("actions");
    w.BeginList();
    for (Action action : {Action::kCreate, Action::kRead, Action::kUpdate, Action::kDelete}) {
      if (!actions.Has(action)) continue;
      w.Item();
      w.Value(action);
    }
    w.EndList();
    w.End();
  }
  w.EndList();
}

Result<PermissionMap> ReadPermissions(const json::array& list) {
  PermissionMap permissions;
  for (const json::value& item : list) {
    std::string_view type(item.at("resourceType").as_string());
    std::optional<Resource> resource = FromName<Resource>(type);
    if (!resource) {
      return Fail(Code::kInvalid, fmt::format("permissions: '{}' is no resource type", type),
                  "see the permissions of GET /api/v1/authorization/roles for the names");
    }
    for (const json::value& name : item.at("actions").as_array()) {
      // "sync" is in the contract's list and stands for nothing here.
      auto action = FromName<Action>(std::string_view(name.as_string()));
      if (action) permissions[*resource] = permissions[*resource].With(*action);
    }
  }
  return permissions;
}

void WriteRole(Writer& w, const Role& role) {
  w.Begin();
  w("name", role.name);
  w("description", role.description);
  w.Key("permissions");
  WritePermissions(w, role.permissions);
  WriteMetadata(w, role.id.value, role.stamp);
  w.Key("deletedAt");
  w.Null();
  w("predefined", role.predefined);
  w.End();
}

std::string ScopeIdText(const Scope& scope) {
  bool whole = scope.type == ScopeType::kTenant || scope.type == ScopeType::kSystem;
  return whole ? std::to_string(kTenantId) : scope.id;
}

void WriteAccessRule(Writer& w, const AccessRuleView& view) {
  const AccessRule& rule = *view.rule;
  w.Begin();
  w("subjectId", rule.subject_id);
  w("subjectType", rule.subject_type);
  w("roleId", rule.role);
  w("scopeId", ScopeIdText(rule.scope));
  w("scopeType", rule.scope.type);
  w("clusterId", view.cluster);
  w("roleName", view.role_name);
  w("scopeName", view.scope_name);
  WriteMetadata(w, rule.id.value, rule.stamp);
  w.OrNull("deletedAt", rule.deleted_at);
  w("scopePath", view.scope_path);
  w.End();
}

}  // namespace yard::wire
