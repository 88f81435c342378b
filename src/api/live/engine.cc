// What the engine can do: whether containers run here, and by whom; whether work can be parked.
#include "api/groups.h"
#include "api/live/views.h"
#include "api/nodes/infra_views.h"
#include "control/commands/infra.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

// The one that is asked for, else the server's own.
Result<ClusterId> ClusterOf(const Call& call) {
  Ptr<Cluster> cluster = control::LocalCluster(call.state());
  if (auto id = call.Query("clusterId")) {
    std::optional<Uuid> uuid = ParseUuid(*id);
    cluster = uuid ? call.state().Find<Cluster>(ClusterId{*uuid}) : nullptr;
    if (cluster && !SeesInside(call, Resource::kWorkloads, cluster->id)) cluster = nullptr;
  }
  if (cluster) return cluster->id;
  return Fail(Code::kNotFound, "there is no such cluster", "see GET /api/v1/clusters for the ids");
}

Result<Answer> ShowEngine(Call& call) {
  YARD_ASSIGN(control::Live * live, LiveOf(call));
  YARD_ASSIGN(ClusterId cluster, ClusterOf(call));
  engine::Capabilities can = live->Abilities(cluster);
  call.NeedsNoScope();
  std::string out;
  wire::Writer w(out);
  w.Begin();
  w("name", can.name);
  w("processes", can.processes);
  w("containers", can.containers);
  w("containerDaemon", can.container_daemon);
  w("containersMissing", can.containers_missing);
  w("memoryLimits", can.memory_limits);
  w("cpuLimits", can.cpu_limits);
  w("gpuSlices", can.gpu_slices);
  w("gpuFilter", can.gpu_filter);
  w("gpuFilterMissing", can.gpu_filter_missing);
  w("parking", can.parking);
  w("parkingMissing", can.parking_missing);
  w.End();
  return Json(std::move(out));
}

}  // namespace

void AddLiveEngineRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet,
                    "/api/v1/engine",
                    May(Action::kRead, Resource::kWorkloads),
                    ShowEngine,
                    "What the engine of a cluster can do",
                    "",
                    "EngineAbilities",
                    200,
                    {{"clusterId", "uuid"}}});
}

}  // namespace yard::api
