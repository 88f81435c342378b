#include "control/commands/access_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/strings.h"
#include "control/commands/roles_predefined.h"

namespace yard::control {
namespace {

Result<std::string> ResolveUser(const State& state, std::string_view subject) {
  if (Ptr<User> user = state.UserByEmail(subject)) return user->email;
  std::optional<Uuid> id = ParseUuid(subject);
  if (Ptr<User> user = id ? state.Find<User>(UserId{*id}) : nullptr) return user->email;
  return Fail(Code::kNotFound, fmt::format("subjectId: there is no user '{}'", subject),
              "give the e-mail or the id of a user; see GET /api/v1/users");
}

Result<std::string> ResolveApp(const State& state, std::string_view subject) {
  std::optional<Uuid> id = ParseUuid(subject);
  Ptr<Application> app = id ? state.Find<Application>(ApplicationId{*id}) : nullptr;
  if (!app) app = state.AppByClientId(subject);
  if (!app) {
    return Fail(Code::kNotFound, fmt::format("subjectId: there is no application '{}'", subject),
                "give the id or the client id of an application; see GET /api/v1/apps");
  }
  if (app->owner) {
    return Fail(Code::kInvalid, "subjectId: a user's own application acts with its user's rights",
                "grant the role to the user");
  }
  return app->client_id;
}

bool IsAdministratorRule(const AccessRule& rule) {
  return rule.role == kSystemAdministrator &&
         (rule.scope.type == ScopeType::kTenant || rule.scope.type == ScopeType::kSystem);
}

bool IsAdministrator(const State& state, const User& user) {
  auto has = [&](SubjectType type, std::string_view subject) {
    return std::ranges::any_of(state.RulesOf(type, subject),
                               [](const auto& rule) { return IsAdministratorRule(*rule); });
  };
  return has(SubjectType::kUser, user.email) ||
         std::ranges::any_of(user.groups,
                             [&](const auto& group) { return has(SubjectType::kGroup, group); });
}

Status CheckFresh(const State& state, const AccessRule& rule) {
  for (const Ptr<AccessRule>& other : state.RulesOf(rule.subject_type, rule.subject_id)) {
    if (other->role != rule.role || other->scope != rule.scope) continue;
    return Fail(Code::kConflict,
                fmt::format("{} has this role at this scope already", rule.subject_id),
                fmt::format("see GET /api/v1/authorization/access-rules/{}", other->id.value));
  }
  return {};
}

// Whether the resource is about ruling over others rather than about one's own work. Who manages
// access rules may hand out work without doing it, but no more rule than they have.
bool Governs(Resource resource) {
  switch (resource) {
    case Resource::kDepartment:
    case Resource::kTenant:
    case Resource::kProject:
    case Resource::kCluster:
    case Resource::kClusterConfig:
    case Resource::kNodePools:
    case Resource::kNodes:
    case Resource::kSettings:
    case Resource::kUsers:
    case Resource::kGroups:
    case Resource::kApps:
    case Resource::kMachineAccounts:
    case Resource::kRoles:
    case Resource::kAccessRules:
    case Resource::kPolicies:
    case Resource::kEventsHistory:
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<std::string> ResolveSubject(const State& state, SubjectType type, std::string_view subject) {
  switch (type) {
    case SubjectType::kUser:
      return ResolveUser(state, subject);
    case SubjectType::kApp:
      return ResolveApp(state, subject);
    case SubjectType::kGroup:
      if (!Trim(subject).empty()) return std::string(subject);
      return Fail(Code::kInvalid, "subjectId: a group needs a name");
  }
  return Fail(Code::kInvalid, "subjectType: unknown");
}

Status RequireMayGrant(Txn& txn, const Role& role, const ScopePath& where) {
  Role governing = role;
  std::erase_if(governing.permissions, [](const auto& entry) { return !Governs(entry.first); });
  return RequireHolds(txn, governing, where);
}

Status RequireHolds(Txn& txn, const Role& role, const ScopePath& where) {
  Access access(txn.state(), txn.who());
  for (const auto& [resource, actions] : role.permissions) {
    for (Action action : {Action::kCreate, Action::kRead, Action::kUpdate, Action::kDelete}) {
      if (!actions.Has(action) || access.May(resource, action, where)) continue;
      return Fail(Code::kForbidden,
                  fmt::format("{} does not hold every permission of '{}' at this scope",
                              txn.who().id, role.name),
                  "ask somebody with more rights to do this");
    }
  }
  return {};
}

Status RequireHoldsAllOf(Txn& txn, SubjectType type, std::string_view subject) {
  for (const Ptr<AccessRule>& rule : txn.state().RulesOf(type, subject)) {
    Ptr<Role> role = txn.state().Find<Role>(rule->role);
    std::optional<ScopePath> path = txn.state().PathOf(rule->scope);
    if (role && path) YARD_TRY(RequireHolds(txn, *role, *path));
  }
  return {};
}

Result<Ptr<AccessRule>> GetAccessRule(const State& state, AccessRuleId id) {
  if (Ptr<AccessRule> rule = state.Find<AccessRule>(id)) return rule;
  return Fail(Code::kNotFound, fmt::format("there is no access rule {}", id.value));
}

Result<Ptr<AccessRule>> CreateAccessRule(Txn& txn, const AccessRuleDraft& draft) {
  AccessRule rule{.subject_type = draft.subject_type, .role = draft.role, .scope = draft.scope};
  bool whole = rule.scope.type == ScopeType::kSystem || rule.scope.type == ScopeType::kTenant;
  if (whole) rule.scope = Scope::Tenant();
  std::optional<ScopePath> path = txn.state().PathOf(rule.scope);
  if (!path) {
    // Who may not grant anything anywhere learns nothing about which scopes there are.
    YARD_TRY(txn.RequireSomewhere(Resource::kAccessRules, Action::kCreate));
    return Fail(Code::kNotFound,
                fmt::format("scopeId: there is no such scope '{}'", draft.scope.id),
                "give the id of a cluster, department or project of the given scopeType");
  }
  YARD_TRY(txn.Require(Resource::kAccessRules, Action::kCreate, *path));
  YARD_ASSIGN(rule.subject_id, ResolveSubject(txn.state(), draft.subject_type, draft.subject));
  Ptr<Role> role = txn.state().Find<Role>(draft.role);
  if (!role) {
    return Fail(Code::kNotFound, fmt::format("roleId: there is no role {}", draft.role.value),
                "see GET /api/v1/authorization/roles");
  }
  YARD_TRY(RequireMayGrant(txn, *role, *path));
  YARD_TRY(CheckFresh(txn.state(), rule));
  rule.id = AccessRuleId{txn.Next("access-rule")};
  rule.stamp = txn.NewStamp();
  return txn.Put(std::move(rule));
}

Status DeleteAccessRule(Txn& txn, AccessRuleId id) {
  YARD_ASSIGN(Ptr<AccessRule> current, GetAccessRule(txn.state(), id));
  // What is left of a scope that is gone belongs to the tenant.
  ScopePath where = txn.state().PathOf(current->scope).value_or(ScopePath{});
  YARD_TRY(txn.Require(Resource::kAccessRules, Action::kDelete, where));
  if (current->deleted_at) {
    return Fail(Code::kNotFound, fmt::format("access rule {} is deleted already", id.value));
  }
  // Taking a right away rules over its holder as giving it does.
  if (Ptr<Role> role = txn.state().Find<Role>(current->role)) {
    YARD_TRY(RequireMayGrant(txn, *role, where));
  }
  AccessRule rule = *current;
  rule.deleted_at = txn.now();
  txn.Touch(rule.stamp);
  txn.Put(std::move(rule));
  return IsAdministratorRule(*current) ? CheckAdministratorLeft(txn.state()) : Status{};
}

void EndRulesOf(Txn& txn, SubjectType type, std::string_view subject) {
  for (const Ptr<AccessRule>& current : txn.state().RulesOf(type, subject)) {
    AccessRule rule = *current;
    rule.deleted_at = txn.now();
    txn.Touch(rule.stamp);
    txn.Put(std::move(rule));
  }
}

Status CheckAdministratorLeft(const State& state) {
  bool left = false;
  state.Of<User>().Each([&](const User& user) {
    left = IsAdministrator(state, user);
    return !left;
  });
  if (left) return {};
  return Fail(Code::kConflict, "this would leave nobody to administer the tenant",
              "make somebody else System administrator first");
}

}  // namespace yard::control
