// Makes room for one workload by taking it from running ones. Internal to sched.
//
// Victims are offered in the caller's order. They gather on their nodes until some node could hold
// a task of the workload without them; of those gathered there, only the ones really needed go,
// and of these those with the most work to lose are spared first. So the search looks at each
// victim once, and the youngest go first.
//
// Surplus tasks of elastic workloads go before whole workloads.
#pragma once

#include <functional>
#include <vector>

#include "sched/decision.h"

namespace yard::sched {

// Which workloads may be evicted for one workload, and under which rule.
struct RoomRules {
  Rule rule = Rule::kReclaim;
  std::vector<QueueIndex> queues;                // victims of the first go first
  std::function<bool(const Workload&)> offered;  // may this one be a victim at all?
  std::function<bool(const Workload&, const Resources&)> allowed;  // and now, on top of the others?
  std::function<bool()> refused =
      nullptr;  // do the queues still refuse, so that somebody must go anyway?
  std::function<bool()> accepted = nullptr;  // is the outcome acceptable, everything booked?
  Holds::Spares spares = nullptr;            // which heads' places stay as they are? None: none
};

// Starts the line's next workload, which is the top of the walk, in room that is made for it: the
// victims are evicted and listed in the plan, and the walk goes on. Or false, and nothing changed.
bool StartInRoom(Decision& decision, LineIndex line, PoolIndex pool, const RoomRules& rules,
                 Walk& walk);

}  // namespace yard::sched
