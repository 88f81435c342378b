#include "control/commands/roles_predefined.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace yard::control {
namespace {

using enum Resource;

// The rows of the product's role table; one row may stand for several resource types.
using Row = std::initializer_list<Resource>;
constexpr Row kEveryRole{kTenant, kPolicies, kProject, kCluster};
constexpr Row kDashboards{kDashboardsOverview, kDashboardsAnalytics, kDashboardsConsumption};
constexpr Row kClusters{kCluster, kClusterConfig};
constexpr Row kWork{kWorkloads, kJobs, kWorkspaces, kTrainings};
constexpr Row kDataSources{kPvcAssets, kGitAssets,       kHostPathAssets, kNfsAssets,
                           kS3Assets,  kConfigMapAssets, kSecretAssets,   kStorageClasses};
constexpr Row kSharedVolumes{kDataVolumes, kDataVolumesSharing};
constexpr Row kIdentities{kUsers, kGroups, kApps};

// A role under construction.
class Draft {
 public:
  Draft(std::string name, std::string description) {
    role_.name = std::move(name);
    role_.description = std::move(description);
    role_.predefined = true;
    Views(kEveryRole);
  }
  template <class... Rows>
  Draft& Views(const Rows&... rows) {
    (Allow(rows, kReadOnly), ...);
    return *this;
  }
  template <class... Rows>
  Draft& Owns(const Rows&... rows) {
    (Allow(rows, kAllActions), ...);
    return *this;
  }
  Role Take() { return std::move(role_); }

 private:
  void Allow(Resource resource, ActionSet actions) {
    ActionSet& current = role_.permissions[resource];
    current.bits = static_cast<std::uint8_t>(current.bits | actions.bits);
  }
  void Allow(Row row, ActionSet actions) {
    for (Resource resource : row) Allow(resource, actions);
  }

  Role role_;
};

Draft SystemAdministratorRole() {
  return Draft("System administrator", "Full control of the whole system")
      .Owns(kTenant, kDepartment, kPolicies, kProject, kSettings, kClusters, kNodePools,
            kAccessRules, kRoles, kIdentities, kPersonalApps, kMachineAccounts, kInferences, kWork)
      .Owns(kComputeResources, kCredentials, kDataSources, kSharedVolumes, kEnvironments,
            kTemplates)
      .Views(kEventsHistory, kNodes, kDashboards);
}

Draft DepartmentAdministratorRole() {
  return Draft("Department administrator", "Manages the projects, people and work of a department")
      .Views(kDepartment, kNodePools, kNodes, kRoles, kDashboards)
      .Owns(kPolicies, kProject, kAccessRules, kIdentities, kInferences, kWork)
      .Owns(kComputeResources, kCredentials, kDataSources, kSharedVolumes, kEnvironments,
            kTemplates);
}

Draft EditorRole() {
  return Draft("Editor", "Manages the organisation, its work and its assets, but not its people")
      .Owns(kDepartment, kPolicies, kProject, kAccessRules, kWork)
      .Owns(kComputeResources, kCredentials, kDataSources, kSharedVolumes, kEnvironments,
            kTemplates)
      .Views(kNodePools, kNodes, kIdentities, kRoles, kDashboards, kInferences);
}

Draft ResearchManagerRole() {
  return Draft("Research manager", "Manages projects and assets and gives others access to them")
      .Owns(kProject, kAccessRules, kComputeResources, kDataSources, kSharedVolumes, kEnvironments,
            kTemplates)
      .Views(kDepartment, kNodePools, kRoles, kUsers, kDashboards, kInferences, kWork,
             kCredentials);
}

Draft L1ResearcherRole() {
  return Draft("L1 researcher", "Runs workloads and makes the assets they need")
      .Owns(kWork, kComputeResources, kCredentials, kDataSources, kDataVolumes, kEnvironments,
            kTemplates)
      .Views(kNodePools, kDashboards, kInferences);
}

Draft L2ResearcherRole() {
  return Draft("L2 researcher", "Runs workloads from assets that others have made")
      .Owns(kWork)
      .Views(kNodePools, kComputeResources, kCredentials, kDataSources, kDataVolumes, kEnvironments,
             kTemplates);
}

Draft MlEngineerRole() {
  return Draft("ML engineer", "Runs inference and watches it")
      .Owns(kInferences)
      .Views(kDepartment, kNodePools, kNodes, kDashboards, kWork, kCredentials, kDataVolumes);
}

// What whoever looks after one kind of asset sees besides it.
Draft AssetAdministrator(std::string name, std::string description) {
  return Draft(std::move(name), std::move(description))
      .Views(kDepartment, kDashboards, kWork, kComputeResources, kDataSources, kDataVolumes,
             kEnvironments, kTemplates);
}

Draft DepartmentViewerRole() {
  return Draft("Department viewer", "Sees a department, its projects, work and assets")
      .Views(kDepartment, kDashboards, kInferences, kWork, kComputeResources, kDataSources,
             kDataVolumes, kEnvironments, kTemplates);
}

Draft ViewerRole() {
  return Draft("Viewer", "Sees the organisation, its machines, work and assets")
      .Views(kDepartment, kDashboards, kInferences, kWork, kComputeResources, kDataSources,
             kDataVolumes, kEnvironments, kTemplates)
      .Views(kNodePools, kNodes, kCredentials);
}

std::vector<Role> MakeRoles() {
  std::vector<Draft> drafts{
      SystemAdministratorRole(),
      DepartmentAdministratorRole(),
      EditorRole(),
      ResearchManagerRole(),
      L1ResearcherRole(),
      L2ResearcherRole(),
      MlEngineerRole(),
      AssetAdministrator("Environment administrator", "Looks after environments")
          .Owns(kEnvironments),
      AssetAdministrator("Template administrator", "Looks after templates").Owns(kTemplates),
      AssetAdministrator("Compute resource administrator", "Looks after compute resources")
          .Owns(kComputeResources),
      AssetAdministrator("Data source administrator", "Looks after data sources")
          .Owns(kDataSources)
          .Views(kCredentials),
      AssetAdministrator("Data volume administrator", "Looks after data volumes")
          .Owns(kSharedVolumes)
          .Views(kCredentials),
      AssetAdministrator("Credentials administrator", "Looks after credentials").Owns(kCredentials),
      ViewerRole(),
      DepartmentViewerRole(),
  };
  std::vector<Role> roles;
  for (Draft& draft : drafts) {
    roles.push_back(draft.Take());
    roles.back().id = RoleId{static_cast<std::int64_t>(roles.size())};
  }
  return roles;
}

}  // namespace

const std::vector<Role>& PredefinedRoles() {
  static const std::vector<Role> roles = MakeRoles();
  return roles;
}

}  // namespace yard::control
