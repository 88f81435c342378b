#include <map>
#include <set>

#include <fmt/format.h>

#include "api/routes/groups.h"
#include "api/routes/infra_views.h"
#include "api/routes/live_views.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Live;

struct Share {
  Ptr<Workload> workload;
  MilliGpu part;
};
using Shares = std::multimap<std::string, Share, std::less<>>;

// Who holds which device now, as far as the caller may see the work.
Shares SharesOf(const Call& call) {
  Shares shares;
  control::Access access(call.state(), call.who());
  call.state().EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    Ptr<Workload> workload = call.state().Find<Workload>(attempt->workload);
    bool seen =
        workload && access.May(Resource::kWorkloads, Action::kRead, call.state().PathOf(*workload));
    if (!seen) return;
    for (const TaskPlace& place : attempt->places) {
      for (const std::string& uuid : place.gpus) shares.insert({uuid, {workload, place.each}});
    }
  });
  return shares;
}

// The machines of clusters within the caller's reach, by name.
std::set<std::string, std::less<>> VisibleNodes(const Call& call) {
  std::set<std::string, std::less<>> names;
  call.state().Of<Node>().Each([&](const Node& node) {
    if (SeesInside(call, Resource::kNodes, node.cluster)) names.insert(node.name);
  });
  return names;
}

std::string Text(Mebibytes amount) {
  return fmt::format("{}Mi", amount.value);
}

// How strongly the holder of a part is kept apart from its neighbours.
std::string_view IsolationOf(const engine::GpuState& gpu, MilliGpu part) {
  const bool whole = part.value >= 1000 && !gpu.declared;
  return slice::Name(whole ? slice::Isolation::kHardware : gpu.isolation);
}

void WriteShares(wire::Writer& w, const Shares& shares, const engine::GpuState& gpu) {
  auto [begin, end] = shares.equal_range(gpu.uuid);
  w.Key("workloads");
  w.BeginList();
  for (auto at = begin; at != end; ++at) {
    w.Item();
    w.Begin();
    w("id", at->second.workload->id);
    w("name", at->second.workload->name);
    w("part", static_cast<double>(at->second.part.value) / 1000);
    w("isolation", IsolationOf(gpu, at->second.part));
    w.End();
  }
  w.EndList();
}

void WriteDevice(wire::Writer& w, std::string_view node, const engine::GpuState& gpu,
                 const Shares& shares) {
  w.Begin();
  w("uuid", gpu.uuid);
  w("node", node);
  w("model", gpu.model);
  w("memory", Text(gpu.memory));
  w("declared", gpu.declared);
  w("isolation", slice::Name(gpu.isolation));
  w("fault", gpu.fault);
  w("foreign", Text(gpu.foreign));
  w.OrNull("busyPercent", gpu.busy_percent);
  w.OrNull("used", gpu.used ? std::optional(Text(*gpu.used)) : std::nullopt);
  WriteShares(w, shares, gpu);
  w.End();
}

Result<Answer> ListGpus(Call& call) {
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([live, &call]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::vector<engine::NodeState> nodes, live->Nodes());
    std::set<std::string, std::less<>> visible = VisibleNodes(call);
    Shares shares = SharesOf(call);
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("gpus");
    w.BeginList();
    for (const engine::NodeState& node : nodes) {
      if (!visible.contains(node.name)) continue;
      for (const engine::GpuState& gpu : node.gpus) {
        w.Item();
        WriteDevice(w, node.name, gpu, shares);
      }
    }
    w.EndList();
    w.End();
    call.NeedsNoScope();
    return Json(std::move(out));
  });
}

}  // namespace

void AddLiveGpuRoutes(std::vector<Route>& routes) {
  routes.push_back({http::Method::kGet, "/api/v1/gpus", May(Action::kRead, Resource::kNodes),
                    ListGpus, "Every GPU with its health, its use and the work on it", "",
                    "GpuList"});
}

}  // namespace yard::api
