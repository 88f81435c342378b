#include "api/workloads/workload_views.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/live.h"
#include "serve/server.h"

namespace yard::api {

const ProjectNames& ProjectDirectory::Of(const Workload& workload) {
  std::int64_t id = workload.project.value;
  if (last_ != nullptr && id == last_id_) return *last_;
  auto [at, fresh] = by_id_.try_emplace(id);
  ProjectNames& names = at->second;
  if (fresh) {
    const control::State& state = call_.state();
    names.visible = call_.Sees(state.PathOf(workload));
    names.inferences_visible = call_.Sees(Resource::kInferences, state.PathOf(workload));
    Ptr<Project> project = state.Find<Project>(workload.project);
    if (project) {
      names.project = project->name;
      names.space = project->requested_namespace.value_or("runai-" + project->name);
    }
    Ptr<Department> department = state.Find<Department>(workload.department);
    if (department) names.department = department->name;
  }
  last_id_ = id;
  last_ = &names;
  return names;
}

wire::WorkloadView ViewOf(const WorkloadRow& row) {
  return {row.workload, row.names->project, row.names->department, row.names->space};
}

wire::WorkloadView ViewOf(const control::State& state, const WorkloadRow& row) {
  wire::WorkloadView view = ViewOf(row);
  if (Ptr<Cluster> cluster = state.Find<Cluster>(row.workload->host()))
    view.cluster_name = cluster->name;
  view.attempt = row.newest;
  // The state keeps it for as long as the view is used.
  if (row.newest == nullptr && row.workload->attempt) {
    view.attempt = state.Find<Attempt>(*row.workload->attempt).get();
  }
  return view;
}

ViewMaker::ViewMaker(Call& call) : state_(call.state()), waiting_(WaitingOf(call)) {
  const serve::Addresses* addresses = call.server().context().addresses;
  const bool open =
      addresses != nullptr && (!addresses->tools.url.empty() || addresses->tools.port.load() != 0);
  if (open) tools_ = serve::AddressOf(addresses->tools, call.request());
  state_.Of<Node>().Each(
      [&](const Node& node) { nodes_[{node.cluster, std::string_view(node.name)}] = &node; });
}

Mebibytes ViewMaker::GpuMemoryOf(const Workload& workload, const Attempt& attempt) const {
  constexpr std::int64_t kWhole = 1000;
  Mebibytes sum{0};
  for (const TaskPlace& place : attempt.places) {
    auto node = nodes_.find({workload.cluster, std::string_view(place.node)});
    if (node == nodes_.end()) continue;
    for (const std::string& uuid : place.gpus) {
      auto gpu = std::ranges::find(node->second->gpus, uuid, &NodeGpu::uuid);
      const bool known = gpu != node->second->gpus.end() && gpu->memory.value > 0;
      const Mebibytes whole = known ? gpu->memory : node->second->gpu_memory;
      sum += Mebibytes(whole.value * place.each.value / kWhole);
    }
  }
  return sum;
}

wire::WorkloadView ViewMaker::Of(const WorkloadRow& row) const {
  wire::WorkloadView view = ViewOf(state_, row);
  view.waits = waiting_->Find(*row.workload);
  view.tools = tools_;
  if (view.attempt == nullptr || view.attempt->end) return view;
  // The state keeps the pool for as long as the view is used.
  if (const Ptr<NodePool> pool = state_.Find<NodePool>(view.attempt->pool)) view.pool = pool->name;
  if (HoldsGpus(*view.attempt)) view.gpu_memory = GpuMemoryOf(*row.workload, *view.attempt);
  return view;
}

control::SharedBoard WaitingOf(Call& call) {
  control::Live* live = call.server().context().live;
  return live != nullptr ? live->Waiting() : std::make_shared<const control::WaitBoard>();
}

Result<WorkloadId> WorkloadIdOf(const Call& call) {
  std::optional<Uuid> id = ParseUuid(call.Path("workloadId"));
  if (id) return WorkloadId{*id};
  return Fail(Code::kNotFound, fmt::format("there is no workload '{}'", call.Path("workloadId")),
              "a workload is named by its UUID");
}

std::vector<WorkloadRow> VisibleWorkloads(Call& call, ProjectDirectory& names, Existence which) {
  std::vector<WorkloadRow> rows;
  EachVisible(call, names, which, [&](const WorkloadRow& row) { rows.push_back(row); });
  return rows;
}

}  // namespace yard::api
