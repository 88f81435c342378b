#include "control/auth/access.h"

#include <algorithm>

#include <fmt/format.h>

namespace yard::control {
namespace {

std::string_view Name(Action action) {
  switch (action) {
    case Action::kCreate:
      return "create";
    case Action::kRead:
      return "read";
    case Action::kUpdate:
      return "update";
    case Action::kDelete:
      return "delete";
  }
  return "use";
}

std::string Describe(const ScopePath& path) {
  if (path.project) return fmt::format("project {}", path.project->value);
  if (path.department) return fmt::format("department {}", path.department->value);
  if (path.cluster) return fmt::format("cluster {}", FormatUuid(path.cluster->value));
  return "the tenant";
}

}  // namespace

Principal SystemPrincipal() {
  return {.id = "system", .system = true};
}

Access::Access(const State& state, const Principal& principal) : all_(principal.system) {
  AddRules(state, principal.type, principal.id);
  for (const std::string& group : principal.groups) AddRules(state, SubjectType::kGroup, group);
}

void Access::AddRules(const State& state, SubjectType type, const std::string& subject) {
  for (const Ptr<AccessRule>& rule : state.RulesOf(type, subject)) {
    Ptr<Role> role = state.Find<Role>(rule->role);
    std::optional<ScopePath> path = state.PathOf(rule->scope);
    if (role && path) grants_.push_back({*path, role});
  }
}

bool Access::May(Resource resource, Action action, const ScopePath& where) const {
  if (all_) return true;
  for (const Grant& grant : grants_) {
    auto actions = grant.role->permissions.find(resource);
    if (actions == grant.role->permissions.end() || !actions->second.Has(action)) continue;
    if (grant.path.Covers(where)) return true;
  }
  return false;
}

bool Access::MaySomewhere(Resource resource, Action action) const {
  return all_ || std::ranges::any_of(grants_, [&](const Grant& grant) {
           auto actions = grant.role->permissions.find(resource);
           return actions != grant.role->permissions.end() && actions->second.Has(action);
         });
}

std::vector<ScopePath> Access::Where(Resource resource, Action action) const {
  std::vector<ScopePath> paths;
  if (all_) paths.push_back({});
  for (const Grant& grant : grants_) {
    auto actions = grant.role->permissions.find(resource);
    if (actions != grant.role->permissions.end() && actions->second.Has(action)) {
      paths.push_back(grant.path);
    }
  }
  return paths;
}

std::map<Resource, ActionSet> Access::Everything() const {
  std::map<Resource, ActionSet> merged;
  for (const Grant& grant : grants_) {
    for (const auto& [resource, actions] : grant.role->permissions) {
      merged[resource].bits = static_cast<std::uint8_t>(merged[resource].bits | actions.bits);
    }
  }
  return merged;
}

Status Authorize(const State& state, const Principal& principal, Resource resource, Action action,
                 const ScopePath& where) {
  if (Access(state, principal).May(resource, action, where)) return {};
  return Fail(Code::kForbidden,
              fmt::format("{} may not {} this in {}", principal.id, Name(action), Describe(where)),
              "ask an administrator for a role that allows it at this scope");
}

}  // namespace yard::control
