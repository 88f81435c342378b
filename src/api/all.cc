#include "api/groups.h"
#include "api/studies/routes.h"
#include "api/track/tracked.h"

namespace yard::api {

const std::vector<Route>& AllRoutes() {
  static const std::vector<Route> routes = [] {
    std::vector<Route> all;
    for (RouteGroup group : {
             AddSystemRoutes,         AddDepartmentRoutes,   AddProjectRoutes,
             AddReservationRoutes,    AddClusterRoutes,      AddNodePoolRoutes,
             AddNodeRoutes,           AddMetricsRoutes,      AddTelemetryRoutes,
             AddSettingRoutes,        AddAssetRoutes,        AddPolicyRoutes,
             AddWorkloadKindRoutes,   AddWorkloadListRoutes, AddWorkloadMetricRoutes,
             AddWorkloadBatchRoutes,  AddWatchRoutes,        AddTokenRoutes,
             AddUserRoutes,           AddMeRoutes,           AddLoginSessionRoutes,
             AddOidcRoutes,           AddApplicationRoutes,  AddOwnApplicationRoutes,
             AddRoleRoutes,           AddAccessRuleRoutes,   AddAuditRoutes,
             AddLegacyIdentityRoutes, AddNotOfferedRoutes,   AddLiveLogRoutes,
             AddLiveSessionRoutes,    AddLiveFileRoutes,     AddLiveOutputRoutes,
             AddLiveWhyRoutes,        AddLiveQueueRoutes,    AddLiveUsageRoutes,
             AddLiveGpuRoutes,        AddLiveEngineRoutes,   AddLiveOrderRoutes,
             AddNodeOrderRoutes,      AddAttemptRoutes,      AddTimelineRoutes,
             AddUsageReportRoutes,    AddUsageSeriesRoutes,  AddBrowserSessionRoutes,
             AddNotificationRoutes,   AddHostAccessRoutes,   AddTrackingRoutes,
             AddStudyRoutes,          AddStudyTrialRoutes,   AddStudyInsightRoutes,
             AddStudyColumnRoutes,    AddStudyJournalRoutes, AddDataSetRoutes,
         }) {
      group(all);
    }
    return all;
  }();
  return routes;
}

}  // namespace yard::api
