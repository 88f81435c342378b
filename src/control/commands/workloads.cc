#include "control/commands/workloads.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "control/commands/org.h"
#include "control/commands/text_room.h"
#include "control/commands/workload_ids.h"
#include "control/dispatch/attempts.h"
#include "control/dispatch/parking.h"
#include "control/launch/spec.h"
#include "control/policy/comply.h"
#include "control/policy/credential_rules.h"
#include "control/policy/host_rules.h"
#include "control/policy/own_work.h"
#include "wire/workload.h"

namespace yard::control {
namespace {

constexpr std::size_t kMaxName = 63;
constexpr std::size_t kSuffixLength = 5;
constexpr int kSuffixTries = 16;

void EmitEvent(Txn& txn, const Workload& workload, std::string reason, std::string message) {
  txn.Emit({.id = txn.NewUuid(),
            .workload = workload.id,
            .at = txn.now(),
            .type = "Normal",
            .reason = std::move(reason),
            .message = std::move(message),
            .source = "gpuyard"});
}

// The line of the history that says the workload has come into its phase.
void EmitPhase(Txn& txn, const Workload& workload) {
  txn.Emit({.id = txn.NewUuid(),
            .workload = workload.id,
            .at = workload.phase_since,
            .type = workload.phase() == Phase::kFailed ? "Warning" : "Normal",
            .reason = std::string(Name(workload.phase())),
            .message = workload.phase_message,
            .source = std::string(kPhaseSource)});
}

// Why a workload that could run does not, before the scheduler has looked at it.
Transition Waiting(const State& state, const Workload& workload, Time now) {
  if (state.OpenAttempt(workload)) {
    return {Life::kWaiting, std::string(kWaitsForItsGpus), WaitSentence(state, workload), now};
  }
  Ptr<Cluster> cluster = state.Find<Cluster>(workload.host());
  if (cluster && !cluster->engine.empty()) {
    return {Life::kWaiting, "Queued", "Waits for the scheduler.", now};
  }
  return {Life::kWaiting, "NoEngine",
          fmt::format("No engine is attached to cluster '{}' yet; the workload starts by itself "
                      "once one is attached and has room for it.",
                      cluster ? cluster->name : FormatUuid(workload.host().value)),
          now};
}

std::string Suffix(Random& random) {
  constexpr std::string_view kAlphabet = "0123456789abcdefghijklmnopqrstuv";
  static_assert(kAlphabet.size() == 32);
  std::array<std::uint8_t, kSuffixLength> bytes{};
  random.Fill(bytes);
  std::string suffix = "-";
  for (std::uint8_t byte : bytes) suffix += kAlphabet[byte % kAlphabet.size()];
  return suffix;
}

// Whether orders to this name mean the items of an array: "sweep" beside "sweep-0" or "sweep-1".
bool NamesAnArray(const State& state, const Workload& workload, const std::string& name) {
  if (workload.rules.array) return false;
  return std::ranges::any_of(std::array{0, 1}, [&](int first) {
    Ptr<Workload> item = state.WorkloadByName(workload.project, fmt::format("{}-{}", name, first));
    return item && item->rules.array;
  });
}

// A number that is free: the first one if they are taken without gaps, found by halving, since
// there may be thousands.
Result<std::string> NumberedName(const State& state, const Workload& workload) {
  auto taken = [&](std::int64_t number) {
    std::string name = fmt::format("{}-{}", workload.name, number);
    return state.WorkloadByName(workload.project, name) || NamesAnArray(state, workload, name);
  };
  std::int64_t high = 2;
  std::int64_t low = 1;  // taken: the plain name
  for (; taken(high); high *= 2) low = high;
  while (high - low > 1) {
    std::int64_t middle = (low + high) / 2;
    (taken(middle) ? low : high) = middle;
  }
  std::string name = fmt::format("{}-{}", workload.name, high);
  if (name.size() <= kMaxName) return name;
  return Fail(Code::kInvalid, fmt::format("name: '{}' is too long to be numbered", workload.name),
              "choose a shorter name");
}

Result<std::string> NameFor(Txn& txn, const WorkloadDraft& draft) {
  const Workload& workload = draft.workload;
  if (draft.naming != Naming::kSuffix) {
    bool taken = txn.state().WorkloadByName(workload.project, workload.name) != nullptr;
    bool mixed =
        draft.naming == Naming::kNumber && NamesAnArray(txn.state(), workload, workload.name);
    if (!taken && !mixed) return workload.name;
    if (draft.naming == Naming::kNumber) return NumberedName(txn.state(), workload);
    return Fail(Code::kConflict,
                fmt::format("a workload named '{}' exists already in this project", workload.name),
                "choose another name, delete the other one, or set useGivenNameAsPrefix");
  }
  if (workload.name.size() + kSuffixLength + 1 > kMaxName) {
    return Fail(Code::kInvalid, fmt::format("name: a prefix has at most {} characters",
                                            kMaxName - kSuffixLength - 1));
  }
  for (int i = 0; i < kSuffixTries; ++i) {
    std::string name = workload.name + Suffix(txn.random());
    if (!txn.state().WorkloadByName(workload.project, name)) return name;
  }
  return Fail(Code::kConflict, fmt::format("no free name starts with '{}'", workload.name),
              "choose another prefix");
}

Status CheckPools(const State& state, const Workload& workload) {
  for (const std::string& name : workload.spec->placement->node_pools) {
    bool found = false;
    state.Of<NodePool>().Each([&](const NodePool& pool) {
      found = found || (pool.cluster == workload.host() && pool.name == name);
    });
    if (found) continue;
    return Fail(Code::kInvalid, fmt::format("spec.nodePools: there is no node pool '{}'", name),
                "see GET /api/v1/k8s/clusters/{clusterId}/node-pools for the names");
  }
  return {};
}

// A project that is not there is refused like one out of reach, so that nobody can count them.
// The workload belongs to the project's own cluster; another one that is named is the one to run
// it.
Result<Ptr<Project>> ProjectFor(Txn& txn, Workload& workload) {
  Ptr<Project> project = txn.state().Find<Project>(workload.project);
  ScopePath where{.project = workload.project};
  if (project) where = txn.state().PathOf(*project);
  YARD_TRY(txn.Require(ResourceOf(workload.type), Action::kCreate, where));
  if (!project) {
    return Fail(Code::kInvalid,
                fmt::format("projectId: there is no project {}", workload.project.value),
                "see GET /api/v1/org-unit/projects for the ids");
  }
  if (std::ranges::find(project->more_clusters, workload.cluster) != project->more_clusters.end())
    workload.taken_by = std::exchange(workload.cluster, project->cluster);
  if (project->cluster != workload.cluster) {
    return Fail(Code::kInvalid,
                fmt::format("clusterId: project '{}' belongs to cluster {}", project->name,
                            FormatUuid(project->cluster.value)),
                "send a clusterId of the project");
  }
  return project;
}

// What a dependency names; looked up once, so that a name used again later means nothing else.
Status ResolveDependencies(const State& state, Workload& workload) {
  for (Dependency& after : workload.rules.after) {
    Ptr<Workload> found;
    if (std::optional<Uuid> id = ParseUuid(after.named)) found = state.FindEver(WorkloadId{*id});
    if (!found) found = state.WorkloadByName(workload.project, after.named);
    if (!found || found->project != workload.project) {
      return Fail(
          Code::kInvalid,
          fmt::format("spec.dependsOn: there is no workload '{}' in this project", after.named),
          "name a workload of the same project by its name or id");
    }
    after.workload = found->id;
  }
  return {};
}

void Tighten(std::optional<Micros>& limit, const std::optional<SchedulingRules>& rules,
             WorkloadType type) {
  if (!rules || type == WorkloadType::kInference) return;
  std::optional<std::int64_t> seconds =
      type == WorkloadType::kWorkspace ? rules->interactive_time_limit : rules->training_time_limit;
  if (!seconds) return;
  limit = limit ? std::min(*limit, Seconds(*seconds)) : Seconds(*seconds);
}

// Whether something of it may be on a machine. Parked work has tasks in every phase.
bool MayHaveTasks(const State& state, const Workload& workload) {
  return MayHavePods(workload.life) || state.OpenAttempt(workload);
}

Result<Workload> Allowed(Txn& txn, WorkloadId id, WorkloadType type, Action action) {
  txn.Recall(id);
  YARD_ASSIGN(Ptr<Workload> workload, GetWorkload(txn.state(), id, type));
  YARD_TRY(txn.Require(ResourceOf(type), action, txn.state().PathOf(*workload)));
  if (action != Action::kRead)
    YARD_TRY(RequireTouch(txn.state(), txn.who(), *workload, Touch::kOrder));
  return *workload;
}

// Nobody but the owner changes what runs under the owner's account of the machine.
Status RequireMayChange(const Txn& txn, const Workload& workload, std::string_view field) {
  bool own = txn.who().id == workload.stamp.created_by;
  if (own || !UsesAccount(workload)) return {};
  return Fail(Code::kForbidden,
              fmt::format("spec.{}: '{}' runs under the account of {}, who alone may change what "
                          "runs",
                          field, workload.name, workload.stamp.created_by),
              "ask its owner, or submit work of your own");
}

// Work whose tasks are being stopped may be resumed and suspended again meanwhile: its phase stays,
// and what follows the stop changes.
Result<Ptr<Workload>> PutIfOtherwise(Txn& txn, Workload workload, DesiredPhase before) {
  if (workload.desired == before) return txn.state().Find<Workload>(workload.id);
  const bool resumed = workload.desired == DesiredPhase::kRunning;
  EmitEvent(txn, workload, resumed ? "Resumed" : "Suspended",
            fmt::format("{} by {}.", resumed ? "Resumed" : "Suspended", txn.who().id));
  txn.Touch(workload.stamp);
  return txn.Put(std::move(workload));
}

// What is on its way off its GPUs, or to its end, has nothing to come back to yet.
Status RequireResumable(const State& state, const Workload& workload) {
  Ptr<Attempt> open = state.OpenAttempt(workload);
  if (!open) return {};
  // A person's own order to suspend it is taken back; every other stop goes before the wish.
  const bool by_wish = open->stop && open->stop->cause == EndCause::kSuspended;
  const bool ends = open->stop && (workload.phase() == Phase::kStopped ||
                                   (workload.life == Life::kSuspending && !by_wish));
  const bool leaves = open->residence == Residence::kLeaving && !open->stop;
  if (!ends && !leaves) return {};
  return Fail(Code::kPrecondition,
              fmt::format("workload '{}' is {}", workload.name,
                          ends ? "being stopped" : "on its way off its GPUs"),
              "wait until it is Stopped, then resume it");
}

}  // namespace

// The limits in force when the work is submitted; later ones do not touch it.
void TakeTimeLimits(const State& state, const Project& project, Workload& workload) {
  Tighten(workload.rules.time_limit, project.rules, workload.type);
  Ptr<Department> department = state.Find<Department>(project.department);
  if (department) Tighten(workload.rules.time_limit, department->rules, workload.type);
}

Resource ResourceOf(WorkloadType type) {
  switch (type) {
    case WorkloadType::kWorkspace:
      return Resource::kWorkspaces;
    case WorkloadType::kTraining:
    case WorkloadType::kDistributed:
      return Resource::kTrainings;
    case WorkloadType::kInference:
      return Resource::kInferences;
  }
  return Resource::kWorkloads;
}

Status MoveWorkload(Txn& txn, Workload& workload, const Transition& transition) {
  YARD_TRY(Move(workload, transition));
  txn.Touch(workload.stamp);
  EmitPhase(txn, workload);
  return {};
}

Result<Ptr<Workload>> CreateWorkload(Txn& txn, WorkloadDraft draft) {
  const WorkloadId id{txn.NewUuid()};
  return CreateWorkloadWithId(txn, std::move(draft), id);
}

Result<Ptr<Workload>> CreateWorkloadWithId(Txn& txn, WorkloadDraft draft, WorkloadId id) {
  Workload& workload = draft.workload;
  YARD_ASSIGN(Ptr<Project> project, ProjectFor(txn, workload));
  YARD_TRY(CheckPools(txn.state(), workload));
  YARD_ASSIGN(std::string name, NameFor(txn, draft));
  workload.id = id;
  workload.requested_name = std::exchange(workload.name, std::move(name));
  workload.department = project->department;
  YARD_TRY(RequireTextRoom(txn.state(), workload));
  YARD_TRY(RequireHostAccess(txn.state(), workload));
  YARD_TRY(RequireCredentialUse(txn.state(), txn.who(), workload));
  YARD_TRY(ResolveDependencies(txn.state(), workload));
  TakeTimeLimits(txn.state(), *project, workload);
  workload.stamp = txn.NewStamp();
  workload.phase_since = txn.now();
  EmitEvent(txn, workload, "Created", fmt::format("Submitted by {}.", txn.who().id));
  YARD_TRY(MoveWorkload(txn, workload, Waiting(txn.state(), workload, txn.now())));
  return txn.Put(std::move(workload));
}

Result<Ptr<Workload>> FindWorkload(const State& state, WorkloadId id) {
  if (Ptr<Workload> workload = state.FindEver(id)) return workload;
  return Fail(Code::kNotFound, fmt::format("there is no workload {}", FormatUuid(id.value)));
}

Result<Ptr<Workload>> GetWorkload(const State& state, WorkloadId id, WorkloadType type) {
  Ptr<Workload> workload = state.FindEver(id);
  if (!workload || workload->type != type) {
    return Fail(Code::kNotFound, fmt::format("there is no {} {}", Name(type), FormatUuid(id.value)),
                "see GET /api/v1/workloads for the ids and kinds");
  }
  if (workload->deleted_at) {
    return Fail(Code::kNotFound, fmt::format("{} '{}' was deleted at {}", Name(type),
                                             workload->name, FormatRfc3339(*workload->deleted_at)));
  }
  return workload;
}

Result<Ptr<Workload>> SuspendWorkload(Txn& txn, WorkloadId id, WorkloadType type) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, type, Action::kUpdate));
  Phase before = workload.phase();
  bool away = WaitsForItsGpus(txn.state(), workload);
  bool had_tasks = MayHaveTasks(txn.state(), workload);
  const DesiredPhase desired = workload.desired;
  YARD_TRY(Suspend(workload, txn.now()));
  if (workload.phase() == before) return PutIfOtherwise(txn, std::move(workload), desired);
  if (!away) OrderStop(txn, workload, {EndCause::kSuspended, txn.who().id, "", txn.now()});
  EmitEvent(txn, workload, "Suspended", fmt::format("Suspended by {}.", txn.who().id));
  EmitPhase(txn, workload);
  Transition stopped{Life::kSuspended, "Suspended", "Stopped on request.", txn.now()};
  if (away) stopped = {Life::kParked, "", ParkedSentence({}), txn.now()};
  if (away || !had_tasks) YARD_TRY(MoveWorkload(txn, workload, stopped));
  txn.Touch(workload.stamp);
  return txn.Put(std::move(workload));
}

Result<Ptr<Workload>> ResumeWorkload(Txn& txn, WorkloadId id, WorkloadType type) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, type, Action::kUpdate));
  Phase before = workload.phase();
  const DesiredPhase desired = workload.desired;
  YARD_TRY(RequireResumable(txn.state(), workload));
  YARD_TRY(Resume(workload, txn.now()));
  if (workload.phase() == before) return PutIfOtherwise(txn, std::move(workload), desired);
  EmitEvent(txn, workload, "Resumed", fmt::format("Resumed by {}.", txn.who().id));
  EmitPhase(txn, workload);
  YARD_TRY(MoveWorkload(txn, workload, Waiting(txn.state(), workload, txn.now())));
  return txn.Put(std::move(workload));
}

Result<Ptr<Workload>> CancelWorkload(Txn& txn, WorkloadId id) {
  YARD_ASSIGN(Ptr<Workload> found, FindWorkload(txn.state(), id));
  YARD_ASSIGN(Workload workload, Allowed(txn, id, found->type, Action::kUpdate));
  YARD_TRY(Cancel(workload, txn.who().id, txn.now()));
  if (workload.life == found->life) return found;
  workload.rules.hold = false;  // nothing is left to be released
  OrderStop(txn, workload, {EndCause::kCancelled, txn.who().id, "", txn.now()});
  EmitEvent(txn, workload, "Cancelled", fmt::format("Cancelled by {}.", txn.who().id));
  if (workload.phase() != found->phase()) EmitPhase(txn, workload);
  if (!MayHaveTasks(txn.state(), *found) && workload.life == Life::kCancelling) {
    YARD_TRY(
        MoveWorkload(txn, workload, {Life::kCancelled, "", workload.phase_message, txn.now()}));
  }
  txn.Touch(workload.stamp);
  return txn.Put(std::move(workload));
}

Status DeleteWorkload(Txn& txn, WorkloadId id, std::optional<WorkloadType> type) {
  YARD_ASSIGN(Ptr<Workload> found, FindWorkload(txn.state(), id));
  YARD_ASSIGN(Workload workload, Allowed(txn, id, type.value_or(found->type), Action::kDelete));
  YARD_TRY(MarkDeleted(workload, txn.now()));
  OrderStop(txn, workload, {EndCause::kDeleted, txn.who().id, "", txn.now()});
  EmitEvent(txn, workload, "Deleted", fmt::format("Deleted by {}.", txn.who().id));
  txn.Touch(workload.stamp);
  txn.Put(std::move(workload));
  return {};
}

Result<Ptr<Workload>> PatchInference(Txn& txn, WorkloadId id, const Document& fields) {
  YARD_ASSIGN(Workload workload, Allowed(txn, id, WorkloadType::kInference, Action::kUpdate));
  const Workload before = workload;
  YARD_TRY(PatchSpec(txn.state(), workload, fields,
                     [&](std::string_view field) { return RequireMayChange(txn, before, field); }));
  YARD_TRY(RequireTextRoom(txn.state(), workload));
  YARD_TRY(RequireHostAccess(txn.state(), workload));
  YARD_TRY(RequireCredentialUse(txn.state(), txn.who(), workload));
  EmitEvent(txn, workload, "Updated", fmt::format("Updated by {}.", txn.who().id));
  txn.Touch(workload.stamp);
  return txn.Put(std::move(workload));
}

}  // namespace yard::control
