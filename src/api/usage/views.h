// What the reports on usage share: the period asked for, and attempts with what they used.
#pragma once

#include "api/handler.h"
#include "control/live.h"
#include "control/usage/history.h"
#include "model/archive.h"

namespace yard::api {

// From ?start= and ?end=.
Result<control::Period> PeriodOf(const Call& call);

// What an attempt used until its end, or until now if it runs.
AttemptUse UseOf(const Attempt& attempt, control::Live* live);

// GPUs busy on average over the step, of those that were measured.
double UsedGpus(const control::UsageStep& step);

void AddAttempts(Call& call, const Workload& workload, control::UsageHistory& history);
void AddAttempts(Call& call, const ArchivedWorkload& past, control::UsageHistory& history);

}  // namespace yard::api
