// What the department and project routes share: views of the state and reading of requests.
#pragma once

#include <map>

#include "api/call.h"
#include "control/org.h"
#include "control/state.h"
#include "wire/org.h"

namespace yard::api {

// What is held now, by project: one pass over the attempts.
class HeldSums {
 public:
  struct Amounts {
    wire::QuotaSums all;
    wire::QuotaSums lasting;  // of work that is not preempted
  };
  explicit HeldSums(const control::State& state);
  Amounts Of(ProjectId project) const;

 private:
  std::map<ProjectId, Amounts> by_project_;
};

wire::OrgUnitView ViewOf(const control::State& state, const Project& project, const HeldSums& held);
wire::OrgUnitView ViewOf(const control::State& state, const Department& department,
                         const HeldSums& held);

// The body of a create or update request as a draft.
Result<control::OrgUnitDraft> ReadDraft(Call& call);
// The body of a quota request.
Result<std::vector<PoolQuota>> ReadQuotaBody(Call& call);
http::Reply QuotaReply(const control::State& state, const OrgUnit& unit);

}  // namespace yard::api
