// What the engine can do: whether containers run here, and by whom; whether work can be parked.
#include "api/groups.h"
#include "api/live/views.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

Result<Answer> ShowEngine(Call& call) {
  YARD_ASSIGN(control::Live * live, LiveOf(call));
  engine::Capabilities can = live->Abilities();
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
  routes.push_back({http::Method::kGet, "/api/v1/engine", May(Action::kRead, Resource::kWorkloads),
                    ShowEngine, "What the engine can do", "", "EngineAbilities"});
}

}  // namespace yard::api
