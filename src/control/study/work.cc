#include "control/study/work.h"

#include <utility>

#include <fmt/format.h>

#include "control/commands/org.h"
#include "control/commands/workload_ids.h"
#include "control/policy/comply.h"
#include "control/study/convert.h"
#include "control/study/log_scan.h"
#include "control/usage/sum.h"
#include "model/spec/spec.h"
#include "wire/spec.h"
#include "wire/study.h"

namespace yard::control {
namespace {

GpuTime HeldBy(const State& state, const Workload& workload, Time now) {
  GpuTime held;
  for (const Ptr<Attempt>& attempt : state.AttemptsOf(workload.id)) {
    held += HeldUntil(*attempt, now);
  }
  return held;
}

}  // namespace

Result<Principal> OwnerOf(const State& state, const Study& study) {
  Principal owner{.type = study.owner_type, .id = study.owner};
  if (!study.owner_user) return owner;
  Ptr<User> user = state.Find<User>(*study.owner_user);
  if (!user) {
    return Fail(Code::kForbidden,
                fmt::format("the owner of study '{}', {}, has no account any more", study.name,
                            study.owner),
                "somebody who may submit work can make the study again");
  }
  owner.user = user->id;
  if (owner.type == SubjectType::kUser) owner.groups = user->groups;
  return owner;
}

Result<WorkloadDraft> DraftOf(const State& state, const Study& study, const StudyTrial& trial) {
  YARD_ASSIGN(Ptr<Project> project, GetProject(state, study.project));
  WorkloadDraft draft{.workload = {}, .naming = Naming::kNumber};
  Workload& workload = draft.workload;
  workload.type = WorkloadType::kTraining;
  workload.name = fmt::format("{}-{}", study.name, trial.number);
  workload.project = study.project;
  workload.cluster = project->cluster;
  workload.spec = wire::ReadSpecText(wire::TrialSpec(study, trial));
  YARD_TRY(ComplyAgain(state, workload));
  return draft;
}

Status SubmitTrial(Txn& txn, WorkloadDraft draft, WorkloadId id) {
  if (txn.state().Find<Workload>(id)) return {};
  YARD_TRY(CreateWorkloadWithId(txn, std::move(draft), id));
  return {};
}

Status CancelTrial(Txn& txn, WorkloadId id) {
  Ptr<Workload> workload = txn.state().Find<Workload>(id);
  if (!workload || workload->deleted_at || HasEnded(workload->life)) return {};
  YARD_TRY(CancelWorkload(txn, id));
  return {};
}

std::optional<WorkEnd> EndOf(const State& state, const Workload& workload) {
  if (!HasEnded(workload.life) && !workload.deleted_at) return std::nullopt;
  // A cancelled workload has ended once nothing of it runs any more.
  if (!workload.deleted_at && state.OpenAttempt(workload)) return std::nullopt;
  WorkEnd end{.how = WorkEnd::How::kFailed,
              .message = workload.phase_message,
              .gpu_time = HeldBy(state, workload, workload.phase_since),
              .at = workload.completed_at.value_or(workload.phase_since)};
  if (workload.deleted_at) {
    end.how = WorkEnd::How::kGone;
    end.message = "Its workload was deleted.";
  } else if (workload.life == Life::kCancelled) {
    end.how = WorkEnd::How::kCancelled;
    if (end.message.empty()) end.message = "Its workload was cancelled.";
  } else if (workload.life == Life::kCompleted) {
    end.how = WorkEnd::How::kCompleted;
  }
  return end;
}

Status CheckStudy(const State& state, const Study& study) {
  YARD_TRY(LogScanner::Make(study.spec));
  YARD_ASSIGN(tune::Study search, RestoreStudy(study, {}));
  if (!study.spec.workload) return {};
  YARD_TRY(DraftOf(state, study, FromTune(search.Ask(), study.spec.objectives.size())));
  return {};
}

}  // namespace yard::control
