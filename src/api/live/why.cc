// What the scheduler says: why something waits, and what would happen to it.
#include <algorithm>
#include <array>
#include <map>

#include <boost/json/value.hpp>

#include "api/groups.h"
#include "api/live/views.h"
#include "api/workloads/workload_drafts.h"
#include "control/commands/workloads.h"
#include "wire/schema.h"
#include "wire/writer.h"

namespace yard::api {
namespace {

using control::Live;
using control::Why;

// Names of those before it. Work that the caller may not see has none, but still counts.
class AheadNames {
 public:
  explicit AheadNames(Call& call) : call_(call) {}

  std::vector<std::string> Of(const Why& why) {
    std::vector<std::string> names;
    for (WorkloadId id : why.ahead) {
      Ptr<Workload> workload = call_.state().Find<Workload>(id);
      bool shown = workload && Sees(*workload);
      names.emplace_back(shown ? std::string_view(workload->name) : kHidden);
    }
    return names;
  }

 private:
  static constexpr std::string_view kHidden = "work of another project";

  bool Sees(const Workload& workload) {
    auto [at, fresh] = seen_.try_emplace({workload.project, workload.type});
    if (fresh) {
      at->second =
          control::Authorize(call_.state(), call_.who(), control::ResourceOf(workload.type),
                             Action::kRead, call_.state().PathOf(workload))
              .has_value();
    }
    return at->second;
  }

  Call& call_;
  std::map<std::pair<ProjectId, WorkloadType>, bool> seen_;
};

// Whose reservation it waits for is told to those who may see that project.
std::string_view MessageFor(Call& call, const Why& why) {
  Ptr<Project> owner = why.reserved_for ? call.state().Find<Project>(*why.reserved_for) : nullptr;
  bool sees = owner && control::Authorize(call.state(), call.who(), Resource::kProject,
                                          Action::kRead, call.state().PathOf(*owner));
  return sees ? why.reserved_message : why.message;
}

void WriteWhy(wire::Writer& w, const Why& why, std::string_view message,
              const std::vector<std::string>& ahead) {
  w.Begin();
  w("reason", why.reason);
  w("message", message);
  w("never", why.never);
  w("further", why.further);
  w.Key("nodes");
  w.BeginList();
  for (const control::NodeLack& lack : why.nodes) {
    w.Item();
    w.Begin();
    w("node", lack.node);
    w("missing", lack.missing);
    w.End();
  }
  w.EndList();
  w.Key("alternatives");
  w.BeginList();
  for (const control::Alternative& alternative : why.alternatives) {
    w.Item();
    w.Begin();
    w("change", alternative.change);
    w("outcome", alternative.outcome);
    w("kind", alternative.kind);
    w("value", alternative.value);
    w.End();
  }
  w.EndList();
  w("ahead", ahead);
  w.OrNull("position", why.position);
  w.OrNull("earliest", why.earliest);
  w.OrNull("latest", why.latest);
  w("basis", why.basis);
  w.End();
}

http::Reply WhyReply(Call& call, const Why& why) {
  std::string out;
  wire::Writer w(out);
  WriteWhy(w, why, MessageFor(call, why), AheadNames(call).Of(why));
  return Json(std::move(out));
}

Result<Answer> Explain(Call& call) {
  YARD_ASSIGN(Ptr<Workload> workload, AllowedWorkload(call));
  YARD_ASSIGN(Live * live, LiveOf(call));
  return OnLive([live, &call, id = workload->id]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(Why why, live->Explain(id));
    return WhyReply(call, why);
  });
}

struct DraftKind {
  std::string_view name;
  WorkloadType type;
  std::string_view schema;
};
constexpr std::array kDraftKinds{
    DraftKind{"Workspace", WorkloadType::kWorkspace, "WorkspaceDraft"},
    DraftKind{"Training", WorkloadType::kTraining, "TrainingDraft"},
    DraftKind{"Distributed", WorkloadType::kDistributed, "DistributedDraft"},
    DraftKind{"Inference", WorkloadType::kInference, "InferenceDraft"}};

Result<Answer> DryRun(Call& call) {
  YARD_ASSIGN(json::object body, call.Body());
  std::string_view name = body.at("type").as_string();
  const DraftKind& kind = *std::ranges::find(kDraftKinds, name, &DraftKind::name);
  const json::value& submission = body.at("workload");
  wire::Findings findings = wire::SchemaSet::Api().Validate(kind.schema, submission);
  if (!findings.issues.empty()) {
    return Fail({Code::kInvalid, "the workload cannot be submitted like this",
                 "correct the named fields", std::move(findings.issues)});
  }
  YARD_ASSIGN(control::WorkloadDraft draft, ReadDraft(call, kind.type, submission.get_object()));
  Ptr<Project> project = call.state().Find<Project>(draft.workload.project);
  if (!project) {
    return Fail(Code::kNotFound, "there is no such project", "see GET /api/v1/org-unit/projects");
  }
  YARD_ASSIGN(Live * live, LiveOf(call));
  Workload& workload = draft.workload;
  workload.department = project->department;
  workload.stamp = {call.now(), call.who().id, call.now(), call.who().id};
  workload.phase_since = call.now();
  auto depth = control::DryRunDepth::kWhole;
  if (const json::value* only = body.if_contains("onlyWhetherEver"); only && only->is_bool()) {
    if (only->get_bool()) depth = control::DryRunDepth::kPossibility;
  }
  return OnLive([live, &call, depth, workload = std::move(workload)]() -> Result<Slow::Outcome> {
    YARD_ASSIGN(Why why, live->DryRun(workload, depth));
    return WhyReply(call, why);
  });
}

}  // namespace

void AddLiveWhyRoutes(std::vector<Route>& routes) {
  using enum http::Method;
  routes.insert(routes.end(),
                {{kGet, "/api/v1/workloads/{workloadId}/why", MayByKind(Action::kRead), Explain,
                  "Why a workload waits and what would help", "", "Why"},
                 {kPost, "/api/v1/workloads/dry-run", MayByKind(Action::kCreate), DryRun,
                  "What would happen to a submission that is not made", "DryRun", "Why"}});
}

}  // namespace yard::api
