#include "api/iam/iam_views.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace yard::api {

using control::State;

Result<Uuid> UuidOf(const Call& call, std::string_view parameter, std::string_view what) {
  if (std::optional<Uuid> id = ParseUuid(call.Path(parameter))) return *id;
  return Fail(Code::kNotFound, fmt::format("there is no {} '{}'", what, call.Path(parameter)));
}

std::string NameOfScope(const State& state, const Scope& scope) {
  switch (scope.type) {
    case ScopeType::kSystem:
    case ScopeType::kTenant:
      return "tenant";
    case ScopeType::kCluster: {
      std::optional<Uuid> id = ParseUuid(scope.id);
      Ptr<Cluster> cluster = id ? state.Find<Cluster>(ClusterId{*id}) : nullptr;
      return cluster ? cluster->name : "";
    }
    case ScopeType::kDepartment: {
      Ptr<Department> department =
          state.Find<Department>(DepartmentId{ParseInt(scope.id).value_or(0)});
      return department ? department->name : "";
    }
    case ScopeType::kProject: {
      Ptr<Project> project = state.Find<Project>(ProjectId{ParseInt(scope.id).value_or(0)});
      return project ? project->name : "";
    }
  }
  return "";
}

wire::AccessRuleView ViewOf(const State& state, const AccessRule& rule) {
  wire::AccessRuleView view{.rule = &rule, .scope_name = NameOfScope(state, rule.scope)};
  if (Ptr<Role> role = state.Find<Role>(rule.role)) view.role_name = role->name;
  std::optional<ScopePath> path = state.PathOf(rule.scope);
  if (!path) return view;
  view.cluster = path->cluster;
  std::string names = "tenant";
  if (path->cluster) names += "/" + NameOfScope(state, Scope::Of(*path->cluster));
  if (path->department) names += "/" + NameOfScope(state, Scope::Of(*path->department));
  if (path->project) names += "/" + NameOfScope(state, Scope::Of(*path->project));
  view.scope_path = names;
  return view;
}

}  // namespace yard::api
