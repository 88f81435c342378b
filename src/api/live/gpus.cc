#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

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
  std::string project;
  MilliGpu part;
  std::optional<Mebibytes> memory;  // of all its GPUs, as last measured; absent: it was not
};

// Simulated and declared devices of two clusters may have the same name.
using Device = std::pair<ClusterId, std::string>;

// Who holds which device now. Work that the caller may not see is an amount without a name: a
// GPU that somebody holds must never look free.
struct Holders {
  std::multimap<Device, Share> seen;
  std::map<Device, MilliGpu> hidden;
};

// Inference takes a permission of its own on top.
bool Sees(const Call& call, control::Access& access, const Workload& workload) {
  const ScopePath where = call.state().PathOf(workload);
  if (!access.May(Resource::kWorkloads, Action::kRead, where)) return false;
  return workload.type != WorkloadType::kInference ||
         access.May(Resource::kInferences, Action::kRead, where);
}

std::optional<Mebibytes> MeasuredMemory(Live& live, AttemptId attempt) {
  const control::UsageSeries series = live.UsageSeriesOf(attempt);
  return series.empty() ? std::nullopt : series.points().back().gpu_memory;
}

Holders HoldersOf(const Call& call, Live& live) {
  Holders holders;
  control::Access access(call.state(), call.who());
  call.state().EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    Ptr<Workload> workload = call.state().Find<Workload>(attempt->workload);
    if (!workload || !HoldsGpus(*attempt)) return;
    const bool shown = Sees(call, access, *workload);
    const Ptr<Project> project = call.state().Find<Project>(workload->project);
    const std::string name = project ? project->name : "";
    const auto memory = shown ? MeasuredMemory(live, attempt->id) : std::nullopt;
    for (const TaskPlace& place : attempt->places) {
      for (const std::string& uuid : place.gpus) {
        if (shown)
          holders.seen.insert({{workload->host(), uuid}, {workload, name, place.each, memory}});
        else
          holders.hidden[{workload->host(), uuid}] += place.each;
      }
    }
  });
  return holders;
}

// Searches as the list of nodes does.
bool Matches(const Call& call, const Node& node, const std::string& part) {
  auto has = [&](const std::string& text) { return Lower(text).contains(part); };
  return has(node.name) || has(node.gpu_type.value_or("")) || has(PoolNameOf(call.state(), node));
}

// The machines of clusters within the caller's reach, in the order of their names: those that match
// what is searched for, and of these the ones on the page.
using Names = std::set<std::pair<std::string, ClusterId>>;
Result<Names> WantedNodes(const Call& call) {
  YARD_ASSIGN(std::optional<std::int64_t> offset, NumberOf(call, "nodeOffset", 0));
  YARD_ASSIGN(std::optional<std::int64_t> limit, NumberOf(call, "nodeLimit", 1));
  const std::string part = Lower(call.Query("search").value_or(""));
  Names names;
  call.state().Of<Node>().Each([&](const Node& node) {
    const bool seen = SeesInside(call, Resource::kNodes, node.cluster);
    if (seen && (part.empty() || Matches(call, node, part)))
      names.insert({node.name, node.cluster});
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

double Devices(MilliGpu amount) {
  return static_cast<double>(amount.value) / 1000;
}

void WriteShare(wire::Writer& w, const Share& share, const engine::GpuState& gpu) {
  w.Begin();
  w("id", share.workload->id);
  w("name", share.workload->name);
  w("projectName", share.project);
  w("userName", share.workload->stamp.created_by);
  w("part", Devices(share.part));
  w("isolation", IsolationOf(gpu, share.part));
  w.OrNull("gpuMemory", share.memory.transform([](Mebibytes held) { return Text(held); }));
  w.End();
}

void WriteHolders(wire::Writer& w, const Holders& holders, ClusterId cluster,
                  const engine::GpuState& gpu) {
  auto [begin, end] = holders.seen.equal_range({cluster, gpu.uuid});
  auto hidden = holders.hidden.find({cluster, gpu.uuid});
  w("heldByOthers", hidden == holders.hidden.end() ? 0.0 : Devices(hidden->second));
  w.Key("workloads");
  w.BeginList();
  for (auto at = begin; at != end; ++at) {
    w.Item();
    WriteShare(w, at->second, gpu);
  }
  w.EndList();
}

// Why nothing new starts on any GPU of a node; empty: something may.
std::string NodeOutOfService(const Node& node) {
  if (node.drain) return node.drain->reason.empty() ? "drained" : "drained: " + node.drain->reason;
  return node.status == NodeStatus::kReady ? "" : "its node is not in service";
}

// All nodes where nothing starts.
using Lacks = std::map<std::pair<std::string, ClusterId>, std::string>;
Lacks NodesOutOfService(const control::State& state) {
  Lacks lacks;
  state.Of<Node>().Each([&](const Node& node) {
    if (std::string why = NodeOutOfService(node); !why.empty())
      lacks.emplace(std::pair(node.name, node.cluster), why);
  });
  return lacks;
}

std::string OutOfService(const Lacks& lacks, const control::LiveNode& node,
                         const engine::GpuState& gpu) {
  if (!gpu.fault.empty()) return "faulty: " + gpu.fault;
  if (auto why = lacks.find({node.name, node.cluster}); why != lacks.end()) return why->second;
  return node.ready ? "" : "its node is not in service";
}

void WriteDevice(wire::Writer& w, const control::LiveNode& node, const engine::GpuState& gpu,
                 const Holders& holders, const Lacks& lacks) {
  w.Begin();
  w("uuid", gpu.uuid);
  w("node", node.name);
  w("clusterId", node.cluster);
  w("model", gpu.model);
  w("memory", Text(gpu.memory));
  w("declared", gpu.declared);
  w("isolation", slice::Name(gpu.mig ? slice::Isolation::kHardware : gpu.isolation));
  w("fault", gpu.fault);
  w("outOfService", OutOfService(lacks, node, gpu));
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
  WriteHolders(w, holders, node.cluster, gpu);
  w.End();
}

Result<Answer> ListGpus(Call& call) {
  YARD_ASSIGN(Live * live, LiveOf(call));
  YARD_ASSIGN(Names wanted, WantedNodes(call));
  return OnLive([live, &call, wanted = std::move(wanted)]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::vector<control::LiveNode> nodes, live->Nodes());
    Holders holders = HoldersOf(call, *live);
    const Lacks lacks = NodesOutOfService(call.state());
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("gpus");
    w.BeginList();
    for (const control::LiveNode& node : nodes) {
      if (!wanted.contains({node.name, node.cluster})) continue;
      for (const engine::GpuState& gpu : node.gpus) {
        w.Item();
        WriteDevice(w, node, gpu, holders, lacks);
      }
    }
    w.EndList();
    w.End();
    call.NeedsNoScope();
    return Json(std::move(out));
  });
}

// How many GPUs of one model there are, by what becomes of new work that asks for one.
struct ModelCount {
  std::int64_t total = 0;
  std::int64_t free = 0;
  std::int64_t partly_free = 0;
  std::int64_t in_use = 0;
  std::int64_t out_of_service = 0;
};

std::map<Device, MilliGpu> HeldParts(const control::State& state) {
  std::map<Device, MilliGpu> held;
  state.EachOpenAttempt([&](const Ptr<Attempt>& attempt) {
    Ptr<Workload> workload = state.Find<Workload>(attempt->workload);
    if (!workload || !HoldsGpus(*attempt)) return;
    for (const TaskPlace& place : attempt->places) {
      for (const std::string& uuid : place.gpus) held[{workload->host(), uuid}] += place.each;
    }
  });
  return held;
}

Names NodesInService(const control::State& state) {
  Names names;
  state.Of<Node>().Each([&](const Node& node) {
    if (NodeOutOfService(node).empty()) names.insert({node.name, node.cluster});
  });
  return names;
}

void Count(ModelCount& count, const engine::GpuState& gpu, MilliGpu held, bool in_service) {
  ++count.total;
  if (held.value >= 1000)
    ++count.in_use;
  else if (!in_service || !gpu.fault.empty() || gpu.foreign.value > 0)
    ++count.out_of_service;
  else if (held.value > 0)
    ++count.partly_free;
  else
    ++count.free;
}

using Counts = std::map<std::string, ModelCount>;
Counts CountModels(const control::State& state, const std::vector<control::LiveNode>& nodes) {
  const auto held = HeldParts(state);
  const Names in_service = NodesInService(state);
  Counts counts;
  for (const control::LiveNode& node : nodes) {
    for (const engine::GpuState& gpu : node.gpus) {
      auto part = held.find({node.cluster, gpu.uuid});
      Count(counts[gpu.model], gpu, part == held.end() ? MilliGpu(0) : part->second,
            node.ready && in_service.contains({node.name, node.cluster}));
    }
  }
  return counts;
}

// For everybody who is signed in: numbers by model, no machine, no person.
Result<Answer> CountGpus(Call& call) {
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([live, &call]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::vector<control::LiveNode> nodes, live->Nodes());
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("models");
    w.BeginList();
    for (const auto& [model, count] : CountModels(call.state(), nodes)) {
      w.Item();
      w.Begin();
      w("model", model);
      w("total", count.total);
      w("free", count.free);
      w("partlyFree", count.partly_free);
      w("inUse", count.in_use);
      w("outOfService", count.out_of_service);
      w.End();
    }
    w.EndList();
    w.End();
    return Json(std::move(out));
  });
}

std::map<Device, std::int32_t> BusyByDevice(const std::vector<control::LiveNode>& nodes) {
  std::map<Device, std::int32_t> busy;
  for (const control::LiveNode& node : nodes) {
    for (const engine::GpuState& gpu : node.gpus) {
      if (!gpu.declared && gpu.busy_percent) busy[{node.cluster, gpu.uuid}] = *gpu.busy_percent;
    }
  }
  return busy;
}

// Of the devices that one workload holds: how many, how many of them are measured, how busy these
// are on average.
struct DeviceUse {
  std::int64_t held = 0;
  std::int64_t measured = 0;
  std::int64_t busy_percents = 0;
};

void WriteUse(wire::Writer& w, WorkloadId id, const DeviceUse& use) {
  w.Item();
  w.Begin();
  w("workloadId", id);
  w("gpus", use.held);
  w("measuredGpus", use.measured);
  w.OrNull("busyPercent",
           use.measured > 0 ? std::optional(use.busy_percents / use.measured) : std::nullopt);
  w.End();
}

// Work that the caller may not see is left out.
Result<Answer> ShowUse(Call& call) {
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([live, &call]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(std::vector<control::LiveNode> nodes, live->Nodes());
    const auto busy = BusyByDevice(nodes);
    std::map<WorkloadId, DeviceUse> uses;
    const Holders holders = HoldersOf(call, *live);
    for (const auto& [device, share] : holders.seen) {
      DeviceUse& use = uses[share.workload->id];
      ++use.held;
      auto found = busy.find(device);
      if (found == busy.end()) continue;
      ++use.measured;
      use.busy_percents += found->second;
    }
    std::string out;
    wire::Writer w(out);
    w.Begin();
    w.Key("workloads");
    w.BeginList();
    for (const auto& [id, use] : uses) WriteUse(w, id, use);
    w.EndList();
    w.End();
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
  routes.push_back({http::Method::kGet, "/api/v1/gpus/count", SignedIn(), CountGpus,
                    "How many GPUs of each model are free", "", "GpuCounts"});
  routes.push_back({http::Method::kGet, "/api/v1/gpus/use", SignedIn(), ShowUse,
                    "How busy the GPUs of running work are", "", "GpuUses"});
}

}  // namespace yard::api
