#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/nodes/gpu_views.h"
#include "api/nodes/infra_views.h"
#include "base/strings.h"
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
    if (!seen || !HoldsGpus(*attempt)) return;
    for (const TaskPlace& place : attempt->places) {
      for (const std::string& uuid : place.gpus) shares.insert({uuid, {workload, place.each}});
    }
  });
  return shares;
}

// Searches as the list of nodes does.
bool Matches(const Call& call, const Node& node, const std::string& part) {
  auto has = [&](const std::string& text) { return Lower(text).contains(part); };
  return has(node.name) || has(node.gpu_type.value_or("")) || has(PoolNameOf(call.state(), node));
}

// The machines of clusters within the caller's reach, by name: those that match what is searched
// for, and of these the ones on the page.
using Names = std::set<std::string, std::less<>>;
Result<Names> WantedNodes(const Call& call) {
  YARD_ASSIGN(std::optional<std::int64_t> offset, NumberOf(call, "nodeOffset", 0));
  YARD_ASSIGN(std::optional<std::int64_t> limit, NumberOf(call, "nodeLimit", 1));
  const std::string part = Lower(call.Query("search").value_or(""));
  Names names;
  call.state().Of<Node>().Each([&](const Node& node) {
    const bool seen = SeesInside(call, Resource::kNodes, node.cluster);
    if (seen && (part.empty() || Matches(call, node, part))) names.insert(node.name);
  });
  const auto size = static_cast<std::int64_t>(names.size());
  const std::int64_t skipped = std::min(offset.value_or(0), size);
  const std::int64_t left = size - skipped;
  auto begin = std::next(names.begin(), skipped);
  return Names(begin, std::next(begin, std::min(limit.value_or(left), left)));
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
  w("isolation", slice::Name(gpu.mig ? slice::Isolation::kHardware : gpu.isolation));
  w("fault", gpu.fault);
  w("foreign", Text(gpu.foreign));
  w.OrNull("busyPercent", gpu.busy_percent);
  w.OrNull("used", gpu.used ? std::optional(Text(*gpu.used)) : std::nullopt);
  if (!gpu.pci.empty()) w("pci", gpu.pci);
  w("numaNode", gpu.numa_node);
  if (gpu.health) {
    w.Key("health");
    WriteHealth(w, *gpu.health);
  }
  if (!gpu.links.empty()) {
    w.Key("links");
    WriteLinks(w, gpu.links);
  }
  WriteShares(w, shares, gpu);
  w.End();
}

Result<Answer> ListGpus(Call& call) {
  YARD_ASSIGN(Live * live, LiveOf(call));
  YARD_ASSIGN(Names wanted, WantedNodes(call));
  return OnLive([live, &call, wanted = std::move(wanted)]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::vector<engine::NodeState> nodes, live->Nodes());
    Shares shares = SharesOf(call);
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("gpus");
    w.BeginList();
    for (const engine::NodeState& node : nodes) {
      if (!wanted.contains(node.name)) continue;
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
  routes.push_back({http::Method::kGet,
                    "/api/v1/gpus",
                    May(Action::kRead, Resource::kNodes),
                    ListGpus,
                    "Every GPU with its health, its use and the work on it",
                    "",
                    "GpuList",
                    200,
                    {{"search", "string"}, {"nodeOffset", "int(0..)"}, {"nodeLimit", "int(1..)"}}});
}

}  // namespace yard::api
