#include "api/workloads/workload_views.h"

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
  view.attempt = row.newest;
  // The state keeps it for as long as the view is used.
  if (row.newest == nullptr && row.workload->attempt) {
    view.attempt = state.Find<Attempt>(*row.workload->attempt).get();
  }
  return view;
}

wire::WorkloadView ViewOf(const control::State& state, const control::WaitBoard& waiting,
                          const WorkloadRow& row) {
  wire::WorkloadView view = ViewOf(state, row);
  view.waits = waiting.Find(*row.workload);
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
