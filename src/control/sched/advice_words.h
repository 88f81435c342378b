// What would help waiting work, as people and programs are told: the change in words, the flags of
// the command line that ask for it, and what it costs others. Pure.
#pragma once

#include <string>
#include <vector>

#include "control/live.h"
#include "control/sched/view.h"
#include "sched/explain/what_if.h"

namespace yard::control {

// `name` is that of the workload, for the command; empty for a submission that is not made.
// `outcome` says what follows: "starts now", "could run".
std::vector<Alternative> AlternativesOf(const std::vector<sched::Advice>& advice, SchedView& view,
                                        std::string_view name, std::string_view outcome);

}  // namespace yard::control
