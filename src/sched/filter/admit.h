// May this queue and user have this much more here? The queues' word, before any node is asked.
#pragma once

#include <optional>
#include <vector>

#include "sched/core/core.h"
#include "sched/reason.h"

namespace yard::sched {

// The first bound that refuses, from the workload's own queue upwards, with its numbers.
std::optional<Reason> Refuses(const Core& core, const Booking& wanted);

// All of them.
std::vector<Reason> AllRefusals(const Core& core, const Booking& wanted);

// Whether non-preemptible work that its queues have on their account already is within their
// quotas: these may have been lowered since. Of other work: always.
bool IsWithinQuota(const Core& core, const Booking& held);

// Whether the queue and all above it stay within what they are guaranteed, even with so much more.
bool IsGuaranteed(Core& core, const Booking& wanted);
// The same if they held nothing else.
bool MayBeGuaranteed(Core& core, const Booking& wanted);

}  // namespace yard::sched
