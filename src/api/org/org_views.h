// What the department and project routes share: views of the state and reading of requests.
#pragma once

#include "api/handler.h"
#include "control/commands/org.h"
#include "control/sched/overbooked.h"
#include "control/state/state.h"
#include "wire/org.h"

namespace yard::api {

// `overbooked` is made from the same state.
wire::OrgUnitView ViewOf(const control::State& state, const control::Overbooked& overbooked,
                         const Project& project);
wire::OrgUnitView ViewOf(const control::State& state, const control::Overbooked& overbooked,
                         const Department& department);

// The body of a create or update request as a draft.
Result<control::OrgUnitDraft> ReadDraft(Call& call);
// The body of a quota request.
Result<std::vector<PoolQuota>> ReadQuotaBody(Call& call);
http::Reply QuotaReply(const control::State& state, const OrgUnit& unit);

}  // namespace yard::api
