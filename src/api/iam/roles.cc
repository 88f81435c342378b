#include "control/commands/roles.h"

#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/iam/iam_views.h"
#include "base/strings.h"
#include "wire/reader.h"

namespace yard::api {
namespace {

using control::Txn;

Result<RoleId> IdOf(const Call& call) {
  if (std::optional<std::int64_t> id = ParseInt(call.Path("roleId"))) return RoleId{*id};
  return Fail(Code::kNotFound, fmt::format("there is no role '{}'", call.Path("roleId")));
}

Result<Answer> ListRoles(Call& call) {
  std::string out;
  wire::Writer w(out);
  w.BeginList();
  call.state().Of<Role>().Each([&](const Role& role) {
    w.Item();
    wire::WriteRole(w, role);
  });
  w.EndList();
  call.NeedsNoScope();
  return Json(std::move(out));
}

Result<Answer> GetRole(Call& call) {
  YARD_ASSIGN(RoleId id, IdOf(call));
  YARD_ASSIGN(Ptr<Role> role, control::GetRole(call.state(), id));
  call.NeedsNoScope();
  return WriteReply(*role, wire::WriteRole);
}

Result<control::RoleDraft> ReadDraft(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  control::RoleDraft draft;
  std::vector<FieldIssue> issues;
  wire::Reader reader(body, "", issues);
  reader("name", draft.name);
  reader("description", draft.description);
  YARD_ASSIGN(draft.permissions, wire::ReadPermissions(body.at("permissions").as_array()));
  return draft;
}

Result<Answer> CreateRole(Call& call) {
  YARD_ASSIGN(control::RoleDraft draft, ReadDraft(call));
  return Commit([draft](Txn& txn) { return control::CreateRole(txn, draft); },
                [](const Ptr<Role>& role) { return WriteReply(*role, wire::WriteRole, 201); });
}

Result<Answer> UpdateRole(Call& call) {
  YARD_ASSIGN(RoleId id, IdOf(call));
  YARD_ASSIGN(control::RoleDraft draft, ReadDraft(call));
  return Commit([id, draft](Txn& txn) { return control::UpdateRole(txn, id, draft); },
                [](const Ptr<Role>& role) { return WriteReply(*role, wire::WriteRole); });
}

Result<Answer> DeleteRole(Call& call) {
  YARD_ASSIGN(RoleId id, IdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteRole(txn, id); }, [] { return Empty(204); });
}

Result<Answer> MyPermissions(Call& call) {
  control::Access access(call.state(), call.who());
  return WriteReply(access.Everything(), wire::WritePermissions);
}

void WriteScopes(wire::Writer& w, const std::vector<ScopePath>& paths) {
  bool tenant = false;
  std::vector<std::string> clusters;
  std::vector<std::string> departments;
  std::vector<std::string> projects;
  for (const ScopePath& path : paths) {
    if (path.project) {
      projects.push_back(std::to_string(path.project->value));
    } else if (path.department) {
      departments.push_back(std::to_string(path.department->value));
    } else if (path.cluster) {
      clusters.push_back(FormatUuid(path.cluster->value));
    } else {
      tenant = true;
    }
  }
  std::vector<std::string> tenants;
  if (tenant) tenants.push_back(std::to_string(wire::kTenantId));
  w.Begin();
  w("system", false);
  w("tenants", tenants);
  if (tenant) w("tenant", tenants.front());
  w("clusters", clusters);
  w("departments", departments);
  w("projects", projects);
  w.End();
}

Result<Answer> PermittedScopes(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  std::string_view name(body.at("resourceType").as_string());
  std::optional<Resource> resource = wire::FromName<Resource>(name);
  if (!resource) {
    return Fail(Code::kInvalid, fmt::format("resourceType: '{}' is unknown", name),
                "see GET /api/v1/authorization/permissions for the names");
  }
  std::optional<Action> only;
  std::vector<FieldIssue> issues;
  wire::Reader reader(body, "", issues);
  reader("action", only);
  control::Access access(call.state(), call.who());
  std::string out;
  wire::Writer w(out);
  w.Begin();
  for (Action action : {Action::kCreate, Action::kRead, Action::kUpdate, Action::kDelete}) {
    bool wanted = !only || *only == action;
    w.Key(wire::ToName(action));
    WriteScopes(w, wanted ? access.Where(*resource, action) : std::vector<ScopePath>{});
  }
  w.End();
  return Json(std::move(out));
}

}  // namespace

void AddRoleRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  constexpr std::string_view kAll = "/api/v1/authorization/roles";
  constexpr std::string_view kOne = "/api/v1/authorization/roles/{roleId}";
  constexpr Resource kRoles = Resource::kRoles;
  routes.insert(
      routes.end(),
      {{kGet, kAll, May(Action::kRead, kRoles), ListRoles, "List roles", "", "[Role]"},
       {kPost, kAll, May(Action::kCreate, kRoles), CreateRole, "Create a custom role", "RoleDraft",
        "Role", 201},
       {kGet, kOne, May(Action::kRead, kRoles), GetRole, "Get a role", "", "Role"},
       {kPut, kOne, May(Action::kUpdate, kRoles), UpdateRole, "Change a custom role", "RoleDraft",
        "Role"},
       {kDelete, kOne, May(Action::kDelete, kRoles), DeleteRole, "Delete a custom role", "", "",
        204},
       {kGet, "/api/v1/authorization/permissions", SignedIn(), MyPermissions,
        "What the caller may do", "", "[Permission]"},
       {kPost, "/api/v1/authorization/permitted-scopes", SignedIn(), PermittedScopes,
        "Where the caller may do something", "PermittedScopesRequest", "PermittedScopesActions"}});
}

}  // namespace yard::api
