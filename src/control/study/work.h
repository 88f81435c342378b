// The workload of a trial: made with the rights of the study's owner, and how it ended.
#pragma once

#include <optional>

#include "base/result.h"
#include "control/auth/access.h"
#include "control/commands/workloads.h"
#include "control/state/state.h"
#include "control/state/txn.h"
#include "control/study/engine.h"
#include "model/study.h"

namespace yard::control {

// As whom trials are submitted, with the groups of today. kForbidden once the account is gone.
Result<Principal> OwnerOf(const State& state, const Study& study);

// The submission of a trial, policies applied. Any thread.
Result<WorkloadDraft> DraftOf(const State& state, const Study& study, const StudyTrial& trial);

// Does nothing if the workload of that id is there already. Reactor thread.
Status SubmitTrial(Txn& txn, WorkloadDraft draft, WorkloadId id);
// Does nothing if it has ended or was never made. Reactor thread.
Status CancelTrial(Txn& txn, WorkloadId id);

// Nothing while it goes on. Any thread.
std::optional<WorkEnd> EndOf(const State& state, const Workload& workload);

// What must hold before a study is made: its space, its pattern, and that its first trial could be
// submitted as far as policies say.
Status CheckStudy(const State& state, const Study& study);

}  // namespace yard::control
