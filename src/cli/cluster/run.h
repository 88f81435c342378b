// Asking hosts and carrying plans out. One thread for each host while a phase lasts.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/cluster/description.h"
#include "cli/cluster/facts.h"
#include "cli/cluster/far.h"
#include "cli/cluster/plan.h"

namespace yard::cli {

// What each host says, in the order of the description, or why it does not. Nothing is changed.
std::vector<Result<HostFacts>> AskEach(Hosts& hosts, const ClusterDescription& cluster);
// The same; the first that does not answer ends it.
Result<std::vector<HostFacts>> AskAll(Hosts& hosts, const ClusterDescription& cluster);

// Phase by phase; `tell` says which. The first step that fails ends it, with its host, its phase
// and the host's own words; what was done stays done.
Status CarryOut(Hosts& hosts, const Plan& plan, const std::function<void(std::string_view)>& tell);

// Every command with what it reads, as the hosts would get them. Keys are named and not shown.
void ShowPlan(std::ostream& out, const SshWay& way, const Plan& plan);

// What a script said when it failed: its last lines, plain text.
std::string LastWords(const Answer& answer);

}  // namespace yard::cli
