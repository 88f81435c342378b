#include "api/testing/authorization_rules.h"
#include "api/groups.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace yard::api::testing {
namespace {

using R = Resource;
using enum Judged;

struct ResourceRule {
  Resource resource;
  Judged read;
  Judged create;
  Judged change;  // and delete
};

constexpr ResourceRule kRules[] = {
    // The organisation: a unit is made and taken away by whoever rules one level above.
    {R::kProject, kProject, kDepartment, kProject},
    {R::kDepartment, kDepartment, kCluster, kDepartment},
    {R::kCluster, kInsideCluster, kTenant, kCluster},
    // Machines belong to a cluster as a whole.
    {R::kNodePools, kInsideCluster, kCluster, kCluster},
    {R::kNodes, kInsideCluster, kCluster, kCluster},
    // The tenant's own.
    {R::kSettings, kTenant, kTenant, kTenant},
    {R::kEventsHistory, kTenant, kTenant, kTenant},
    {R::kRoles, kAnywhere, kTenant, kTenant},
    // People and programs have no place, but what they were granted has.
    {R::kUsers, kAnywhere, kAnywhere, kSubject},
    {R::kApps, kAnywhere, kAnywhere, kSubject},
    {R::kPersonalApps, kAnywhere, kAnywhere, kSubject},
    // All that lives in a project.
    {R::kAccessRules, kProject, kProject, kProject},
    {R::kPolicies, kProject, kProject, kProject},
    {R::kWorkloads, kProject, kProject, kProject},
    {R::kWorkspaces, kProject, kProject, kProject},
    {R::kTrainings, kProject, kProject, kProject},
    {R::kInferences, kProject, kProject, kProject},
    {R::kEnvironments, kProject, kProject, kProject},
    {R::kComputeResources, kProject, kProject, kProject},
    {R::kTemplates, kProject, kProject, kProject},
    {R::kCredentials, kProject, kProject, kProject},
    {R::kPvcAssets, kProject, kProject, kProject},
    {R::kGitAssets, kProject, kProject, kProject},
    {R::kHostPathAssets, kProject, kProject, kProject},
    {R::kNfsAssets, kProject, kProject, kProject},
    {R::kS3Assets, kProject, kProject, kProject},
    {R::kConfigMapAssets, kProject, kProject, kProject},
    {R::kSecretAssets, kProject, kProject, kProject},
    {R::kDataVolumes, kProject, kProject, kProject},
};

// Answers of allowed calls that are not the route's status, each for the reason it names.
struct Documented {
  std::string_view ending;
  int status;
  std::optional<http::Method> method = std::nullopt;  // nothing: every one
};
constexpr Documented kDocumented[] = {
    {"/cluster-install-info", 501},  // there is no chart to install
    {"/repositories", 501},          // the server does not look into registries
    {"/repositories/tags", 501},     // nor into their repositories
    {"/pods/{podId}/metrics", 404},  // no workload has pods before an engine runs it
    // Routes that speak WebSocket, asked without one.
    {"/exec", 426},
    {"/attach", 426},
    {"/ports/{port}", 426},
    {"/files/upload", 426},
    {"{workloadId}/extend", 412},                        // the world's work has no time limit
    {"/gpu-limit", 412},                                 // and no part of a GPU
    {"/rerun", 412},                                     // nor has it ended
    {"/park", 412},                                      // nor does it run
    {"/artifacts/file", 404, http::Method::kGet},        // nobody puts such a file there
    {"/artifacts/uploads", 404, http::Method::kPut},     // no file is on its way to them
    {"/artifacts/uploads", 404, http::Method::kDelete},  // so there is none to forget
    {"/uploads/complete", 404},                          // and none to complete
    {"/outputs", 404},                                   // and it left nothing
    {"/sets/{dataSetName}", 404},                        // it has no data sets
    {"{projectId}/versions", 400},                       // nothing is no manifest
    {"/ftps-logins", 503},                               // its server takes nothing by FTPS
    {"/ftps-logins/{ftpsLogin}", 503},
    {"/takes", 503},
    {"/takes/{takeId}", 503},
};

// A unit of the organisation cannot be deleted from inside without ending the grant itself, so
// these routes are walked as the unit's creation is: from one level above.
bool TakesAUnitAway(const Route& route) {
  return route.method == http::Method::kDelete &&
         (route.path.ends_with("{projectId}") || route.path.ends_with("{departmentId}") ||
          route.path.ends_with("{clusterUuid}"));
}

}  // namespace

std::string_view Name(Position position) {
  constexpr std::array<std::string_view, 6> kNames{"the project", "the department", "the cluster",
                                                   "the tenant",  "next door",      "far away"};
  return kNames.at(static_cast<std::size_t>(position));
}

std::optional<Judged> JudgedOf(const Route& route) {
  const auto* rule = std::ranges::find(kRules, route.need.resource, &ResourceRule::resource);
  if (rule == std::end(kRules)) return std::nullopt;
  if (TakesAUnitAway(route)) return rule->create;
  switch (route.need.action) {
    case Action::kRead:
      return rule->read;
    case Action::kCreate:
      return rule->create;
    case Action::kUpdate:
    case Action::kDelete:
      return rule->change;
  }
  return std::nullopt;
}

bool Reaches(Position position, Judged judged) {
  if (judged == kAnywhere) return true;
  if (position == Position::kFarAway) return false;
  if (position == Position::kNextDoor) return judged == kInsideCluster;
  switch (judged) {
    case kDepartment:
      return position >= Position::kDepartment;
    case kCluster:
      return position >= Position::kCluster;
    case kTenant:
      return position >= Position::kTenant;
    default:
      return true;
  }
}

bool IsList(const Route& route, Judged judged) {
  bool names_scope = std::ranges::any_of(
      route.query, [](const QueryParameter& q) { return q.required && q.name == "scope"; });
  return route.method == http::Method::kGet && judged != kTenant && !names_scope &&
         !route.path.contains('{');
}

bool ShowsNames(const Route& route) {
  // Counts are numbers; there are no pods and no storage classes yet, nothing has run, and the
  // engine is one for all.
  constexpr std::string_view kNameless[] = {"/count",           "/pods",         "/usage/report",
                                            "/storage-classes", "/engine",       "/timeline",
                                            "/usage/series",    "/queue/running"};
  return std::ranges::none_of(kNameless, [&](auto end) { return route.path.ends_with(end); });
}

int AllowedStatus(const Route& route) {
  for (const Documented& documented : kDocumented) {
    const bool meant = !documented.method || *documented.method == route.method;
    if (meant && route.path.ends_with(documented.ending)) return documented.status;
  }
  return route.status;
}

namespace {

TEST(AuthorizationRules, EveryResourceIsJudgedInOneWay) {
  std::set<Resource> seen;
  for (const ResourceRule& rule : kRules) EXPECT_TRUE(seen.insert(rule.resource).second);
}

TEST(AuthorizationRules, EveryDocumentedExceptionIsAboutARoute) {
  for (const Documented& documented : kDocumented) {
    EXPECT_TRUE(std::ranges::any_of(AllRoutes(), [&](const Route& route) {
      return route.path.ends_with(documented.ending);
    })) << documented.ending;
  }
}

}  // namespace
}  // namespace yard::api::testing
