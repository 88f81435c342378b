// The groups of routes, one per file of handlers; see serve/route.h.
#pragma once

#include <vector>

#include "api/handler.h"

namespace yard::api {

// Every route of the server, in the order of the groups.
const std::vector<Route>& AllRoutes();

void AddProjectRoutes(std::vector<Route>& routes);
void AddReservationRoutes(std::vector<Route>& routes);
void AddDepartmentRoutes(std::vector<Route>& routes);
void AddWorkloadKindRoutes(std::vector<Route>& routes);
void AddWorkloadListRoutes(std::vector<Route>& routes);
void AddWorkloadMetricRoutes(std::vector<Route>& routes);
void AddWorkloadBatchRoutes(std::vector<Route>& routes);
void AddWatchRoutes(std::vector<Route>& routes);
void AddSystemRoutes(std::vector<Route>& routes);
void AddClusterRoutes(std::vector<Route>& routes);
void AddNodePoolRoutes(std::vector<Route>& routes);
void AddNodeRoutes(std::vector<Route>& routes);
void AddMetricsRoutes(std::vector<Route>& routes);
void AddTelemetryRoutes(std::vector<Route>& routes);
void AddSettingRoutes(std::vector<Route>& routes);
void AddHostAccessRoutes(std::vector<Route>& routes);
void AddAssetRoutes(std::vector<Route>& routes);
void AddDataSetRoutes(std::vector<Route>& routes);
void AddPolicyRoutes(std::vector<Route>& routes);
void AddTokenRoutes(std::vector<Route>& routes);
void AddUserRoutes(std::vector<Route>& routes);
void AddMeRoutes(std::vector<Route>& routes);
void AddLoginSessionRoutes(std::vector<Route>& routes);
void AddOidcRoutes(std::vector<Route>& routes);
void AddApplicationRoutes(std::vector<Route>& routes);
void AddOwnApplicationRoutes(std::vector<Route>& routes);
void AddRoleRoutes(std::vector<Route>& routes);
void AddAccessRuleRoutes(std::vector<Route>& routes);
void AddAuditRoutes(std::vector<Route>& routes);
void AddLegacyIdentityRoutes(std::vector<Route>& routes);
void AddNotOfferedRoutes(std::vector<Route>& routes);
void AddLiveLogRoutes(std::vector<Route>& routes);
void AddLiveSessionRoutes(std::vector<Route>& routes);
void AddLiveFileRoutes(std::vector<Route>& routes);
void AddLiveOutputRoutes(std::vector<Route>& routes);
void AddLiveWhyRoutes(std::vector<Route>& routes);
void AddLiveQueueRoutes(std::vector<Route>& routes);
void AddLiveUsageRoutes(std::vector<Route>& routes);
void AddLiveGpuRoutes(std::vector<Route>& routes);
void AddLiveEngineRoutes(std::vector<Route>& routes);
void AddLiveOrderRoutes(std::vector<Route>& routes);
void AddNodeOrderRoutes(std::vector<Route>& routes);
void AddUsageReportRoutes(std::vector<Route>& routes);
void AddUsageSeriesRoutes(std::vector<Route>& routes);
void AddAttemptRoutes(std::vector<Route>& routes);
void AddTimelineRoutes(std::vector<Route>& routes);
void AddBrowserSessionRoutes(std::vector<Route>& routes);
void AddNotificationRoutes(std::vector<Route>& routes);

}  // namespace yard::api
