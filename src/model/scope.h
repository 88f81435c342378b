// Where in the organisation something lives or is allowed: tenant / cluster / department / project.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "model/ids.h"

namespace yard {

enum class ScopeType { kSystem, kTenant, kCluster, kDepartment, kProject };

// A scope as rules and assets name it. `id` is the decimal department or project id, the cluster
// UUID, or empty for system and tenant.
struct Scope {
  ScopeType type = ScopeType::kTenant;
  std::string id;
  auto operator<=>(const Scope&) const = default;

  static Scope Tenant() { return {}; }
  static Scope Of(ClusterId id) { return {ScopeType::kCluster, FormatUuid(id.value)}; }
  static Scope Of(DepartmentId id) { return {ScopeType::kDepartment, std::to_string(id.value)}; }
  static Scope Of(ProjectId id) { return {ScopeType::kProject, std::to_string(id.value)}; }
};

// The full way down to a scope. A level that is absent means "the whole level above".
// Invariant: a project has a department, a department has a cluster.
struct ScopePath {
  std::optional<ClusterId> cluster;
  std::optional<DepartmentId> department;
  std::optional<ProjectId> project;
  bool operator==(const ScopePath&) const = default;

  // Whether `inner` lies at or below this path.
  bool Covers(const ScopePath& inner) const {
    return (!cluster || cluster == inner.cluster) &&
           (!department || department == inner.department) &&
           (!project || project == inner.project);
  }
};

}  // namespace yard
