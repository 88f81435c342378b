#include "sched/schedule.h"

#include "sched/decide.h"
#include "sched/validate.h"

namespace yard::sched {

Result<Plan> Schedule(const Snapshot& snapshot, const Policy& policy) {
  YARD_TRY(Validate(snapshot));
  Core core(snapshot, policy);
  return Decide(core);
}

}  // namespace yard::sched
