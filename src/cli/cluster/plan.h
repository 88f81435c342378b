// From what hosts say to the steps that are missing. Pure: a step is a script, its arguments and
// its input, and nothing is done here.
//
// A plan leaves out what is there already. So a second run has no step, and one that broke off goes
// on where it was. Phases come one after another; the steps of one phase are on different hosts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/cluster/description.h"
#include "cli/cluster/facts.h"

namespace yard::cli {

struct Step {
  std::string host;
  const char* script = "";
  std::vector<std::string> arguments = {};
  std::string input = {};
  // The input is what this host prints for `source`; it is never shown or kept.
  std::string source_host = {};
  const char* source = "";
};

struct Phase {
  std::string title;
  std::vector<Step> steps;
};

using Plan = std::vector<Phase>;

// Refuses hosts that cannot be one cluster, or that belong to something else: nothing that runs is
// taken over. In the order of the description's hosts.
Status CheckFacts(const ClusterDescription& cluster, std::span<const HostFacts> hosts);
// What works and a person should know.
std::vector<std::string> Remarks(const ClusterDescription& cluster,
                                 std::span<const HostFacts> hosts);

// The folder that all hosts share, before anything else is touched.
Plan PlanFolder(const ClusterDescription& cluster, std::span<const HostFacts> hosts);
// What takes it back.
Plan PlanForgetFolder(const ClusterDescription& cluster);

// The rest of the way to a cluster of exactly these hosts. `public_key`: who may sign in as the
// account; may be empty.
Result<Plan> PlanCreate(const ClusterDescription& cluster, std::span<const HostFacts> hosts,
                        const std::string& public_key);

// Takes a host away from what `hosts` (without it) then are. Work on it ends first, for at most
// `patience_s`; a host that is gone is not asked.
struct Leaving {
  std::string host;
  std::string node;
  bool gone = false;       // not reached any more
  bool has_slurm = false;  // of ours
  Starter starter = Starter::kPlain;
  std::int64_t patience_s = 0;
};
Plan PlanRemove(const ClusterDescription& rest, std::span<const HostFacts> hosts,
                const Leaving& leaving);

// From a cluster to bare hosts; packages, the account and the shared folder stay.
Plan PlanDestroy(const ClusterDescription& cluster, std::span<const HostFacts> hosts,
                 const std::string& public_key);

std::size_t CountSteps(const Plan& plan);

}  // namespace yard::cli
