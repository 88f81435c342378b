#include <fmt/format.h>
#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/workloads/workload_drafts.h"
#include "api/workloads/workload_views.h"
#include "base/json_text.h"
#include "control/commands/workloads.h"
#include "model/spec/spec.h"

namespace yard::api {
namespace {

using control::Txn;
using enum WorkloadType;

http::Reply RecordReply(const Workload& workload, int status) {
  std::string out;
  out.reserve(workload.spec->document.json.size() + 512);
  wire::Writer w(out);
  wire::WriteRecord(w, workload);
  return Json(std::move(out), status);
}

template <WorkloadType kType>
Result<Answer> Create(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  YARD_ASSIGN(control::WorkloadDraft draft, ReadDraft(call, kType, body));
  int status = call.route().status;
  return Commit([draft = std::move(draft)](
                    Txn& txn) mutable { return control::CreateWorkload(txn, std::move(draft)); },
                [status](const Ptr<Workload>& workload) { return RecordReply(*workload, status); });
}

template <WorkloadType kType>
Result<Answer> Get(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  YARD_ASSIGN(Ptr<Workload> workload, control::GetWorkload(call.state(), id, kType));
  YARD_TRY(call.Require(call.state().PathOf(*workload)));
  return RecordReply(*workload, 200);
}

template <WorkloadType kType>
Result<Answer> Delete(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  return Commit([id](Txn& txn) { return control::DeleteWorkload(txn, id, kType); },
                [] { return Empty(204); });
}

template <WorkloadType kType>
Result<Answer> Suspend(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  return Commit([id](Txn& txn) { return control::SuspendWorkload(txn, id, kType); },
                [](const Ptr<Workload>& workload) {
                  return AcceptedReply(
                      fmt::format("{} '{}' is suspended", Name(workload->type), workload->name));
                });
}

template <WorkloadType kType>
Result<Answer> Resume(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  return Commit([id](Txn& txn) { return control::ResumeWorkload(txn, id, kType); },
                [](const Ptr<Workload>& workload) {
                  return AcceptedReply(
                      fmt::format("{} '{}' is resumed", Name(workload->type), workload->name));
                });
}

Result<Answer> PatchInference(Call& call) {
  YARD_ASSIGN(WorkloadId id, WorkloadIdOf(call));
  YARD_ASSIGN(json::object body, call.Body());
  Document fields{JsonText(body.at("spec"))};
  return Commit([id, fields](Txn& txn) { return control::PatchInference(txn, id, fields); },
                [](const Ptr<Workload>& workload) { return RecordReply(*workload, 200); });
}

// The paths and schemas of one kind.
struct Kind {
  std::string_view all;
  std::string_view one;
  std::string_view suspend;
  std::string_view resume;
  std::string_view draft;
  std::string_view record;
};

template <WorkloadType kType>
void AddKind(std::vector<Route>& routes, const Kind& kind, Resource resource) {
  using enum http::Method;
  routes.insert(routes.end(), {{kPost, kind.all, May(Action::kCreate, resource), Create<kType>,
                                "Submit a workload of this kind", kind.draft, kind.record,
                                kType == kInference ? 202 : 200},
                               {kGet, kind.one, May(Action::kRead, resource), Get<kType>,
                                "Get a workload of this kind", "", kind.record},
                               {kDelete, kind.one, May(Action::kDelete, resource), Delete<kType>,
                                "Delete a workload of this kind", "", "", 204}});
  if (kind.suspend.empty()) return;
  routes.insert(routes.end(), {{kPost, kind.suspend, May(Action::kUpdate, resource), Suspend<kType>,
                                "Stop a workload and release what it holds", "", "Accepted", 202},
                               {kPost, kind.resume, May(Action::kUpdate, resource), Resume<kType>,
                                "Let a stopped workload run again", "", "Accepted", 202}});
}

}  // namespace

void AddWorkloadKindRoutes(std::vector<Route>& routes) {
  AddKind<kWorkspace>(
      routes,
      {"/api/v1/workloads/workspaces", "/api/v1/workloads/workspaces/{workloadId}",
       "/api/v1/workloads/workspaces/{workloadId}/suspend",
       "/api/v1/workloads/workspaces/{workloadId}/resume", "WorkspaceDraft", "Workspace"},
      Resource::kWorkspaces);
  AddKind<kTraining>(
      routes,
      {"/api/v1/workloads/trainings", "/api/v1/workloads/trainings/{workloadId}",
       "/api/v1/workloads/trainings/{workloadId}/suspend",
       "/api/v1/workloads/trainings/{workloadId}/resume", "TrainingDraft", "Training"},
      Resource::kTrainings);
  AddKind<kDistributed>(
      routes,
      {"/api/v1/workloads/distributed", "/api/v1/workloads/distributed/{workloadId}",
       "/api/v1/workloads/distributed/{workloadId}/suspend",
       "/api/v1/workloads/distributed/{workloadId}/resume", "DistributedDraft", "Distributed"},
      Resource::kTrainings);
  AddKind<kInference>(routes,
                      {"/api/v1/workloads/inferences", "/api/v1/workloads/inferences/{workloadId}",
                       "", "", "InferenceDraft", "Inference"},
                      Resource::kInferences);
  routes.push_back({http::Method::kPatch, "/api/v1/workloads/inferences/{workloadId}",
                    May(Action::kUpdate, Resource::kInferences), PatchInference,
                    "Change fields of an inference's spec", "InferencePatch", "Inference"});
}

}  // namespace yard::api
