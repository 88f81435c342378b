// What the scheduler says: why something waits, and what would happen to it.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>
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

// "5 h 29 m", "40 s".
std::string SpanText(Micros span) {
  const std::int64_t seconds = span.value / 1'000'000;
  if (seconds < 60) return fmt::format("{} s", seconds);
  const std::int64_t minutes = seconds / 60;
  if (minutes < 60) return fmt::format("{} m", minutes);
  return fmt::format("{} h {} m", minutes / 60, minutes % 60);
}

// Work of others as the caller may know it. Work that the caller may not see has no name.
class Names {
 public:
  explicit Names(Call& call) : call_(call) {}

  std::vector<std::string> Ahead(const Why& why) {
    std::vector<std::string> names;
    for (WorkloadId id : why.ahead) {
      Ptr<Workload> workload = Seen(id);
      names.emplace_back(workload ? std::string_view(workload->name) : kHidden);
    }
    return names;
  }

  // "stops run-7 of bob, 5 h 29 m of work".
  std::string Price(const control::WorkLost& lost) {
    Ptr<Workload> workload = Seen(lost.workload);
    std::string whose = workload
                            ? fmt::format("{} of {}", workload->name, workload->stamp.created_by)
                            : std::string(kHidden);
    if (lost.fate == control::WorkFate::kMoves)
      return fmt::format("{} starts again elsewhere", whose);
    if (lost.fate == control::WorkFate::kShrinks) return fmt::format("{} goes on smaller", whose);
    return fmt::format("stops {}, {} of work", whose, SpanText(lost.ran));
  }

  // Null: the caller may not see it.
  Ptr<Workload> Seen(WorkloadId id) {
    Ptr<Workload> workload = call_.state().Find<Workload>(id);
    return workload && Sees(*workload) ? workload : nullptr;
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

void WriteNodes(wire::Writer& w, const Why& why) {
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
}

void WriteCauses(wire::Writer& w, const Why& why, std::string_view message) {
  auto filled = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  w.Key("reasons");
  w.BeginList();
  bool first = true;
  for (const WaitCause& cause : why.causes) {
    w.Item();
    w.Begin();
    w("reason", cause.reason);
    w("message", std::exchange(first, false) ? message : cause.message);
    w.OrNull("nodePool", filled(cause.pool));
    w.OrNull("orgType", filled(cause.unit));
    w.End();
  }
  w.EndList();
}

void WriteAlternatives(wire::Writer& w, const Why& why, Names& names) {
  w.Key("alternatives");
  w.BeginList();
  for (const control::Alternative& alternative : why.alternatives) {
    std::vector<std::string> price;
    for (const control::WorkLost& lost : alternative.price) price.push_back(names.Price(lost));
    w.Item();
    w.Begin();
    w("change", alternative.change);
    w("outcome", alternative.outcome);
    w("kind", alternative.kind);
    w("value", alternative.value);
    w("flags", alternative.flags);
    w("command", alternative.command);
    w("price", price);
    w.End();
  }
  w.EndList();
}

constexpr std::size_t kMostHolders = 10;

// Those that the caller may see one by one; how much all others hold is left out with them.
void WriteHolders(wire::Writer& w, const Why& why, Call& call, Names& names) {
  w.Key("holders");
  w.BeginList();
  std::size_t listed = 0;
  std::size_t hidden = 0;
  for (const control::WorkHolds& holder : why.holders) {
    Ptr<Workload> workload = names.Seen(holder.workload);
    if (!workload) ++hidden;
    if (!workload || ++listed > kMostHolders) continue;
    Ptr<Project> project = call.state().Find<Project>(workload->project);
    w.Item();
    w.Begin();
    w("workload", workload->name);
    w("user", workload->stamp.created_by);
    w("project", project ? std::string_view(project->name) : std::string_view{});
    w("amount", holder.amount);
    w.End();
  }
  if (hidden > 0) {
    w.Item();
    w.Begin();
    w("amount", hidden == 1 ? std::string("1 workload of another project")
                            : fmt::format("{} workloads of other projects", hidden));
    w.End();
  }
  w.EndList();
}

void WriteWhy(wire::Writer& w, Call& call, const Why& why) {
  Names names(call);
  const std::string_view message = MessageFor(call, why);
  w.Begin();
  w("reason", why.reason);
  w("message", message);
  w("never", why.never);
  w("further", why.further);
  WriteCauses(w, why, message);
  WriteHolders(w, why, call, names);
  WriteNodes(w, why);
  WriteAlternatives(w, why, names);
  w("ahead", names.Ahead(why));
  w.OrNull("position", why.position);
  if (!why.starts_on.empty()) w("startsOn", why.starts_on);
  w.OrNull("earliest", why.earliest);
  w.OrNull("latest", why.latest);
  w("basis", why.basis);
  w("noForecast", why.no_forecast);
  w.End();
}

http::Reply WhyReply(Call& call, const Why& why) {
  std::string out;
  wire::Writer w(out);
  WriteWhy(w, call, why);
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
