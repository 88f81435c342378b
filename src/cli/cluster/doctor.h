// What is wrong with a cluster that this program made. Nothing is changed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/cluster/description.h"
#include "cli/cluster/facts.h"
#include "cli/cluster/far.h"

namespace yard::cli {

enum class Health { kOk, kWarn, kFail };

struct ClusterFinding {
  std::string host;
  std::string check;
  Health health = Health::kOk;
  std::string detail;
};

// From what a host says, without asking more. `hosts`: those that answered, in the order of the
// description. Pure.
std::vector<ClusterFinding> Examine(const ClusterDescription& cluster,
                                    const std::vector<HostFacts>& hosts);

// `sinfo -h -N -o '%N|%T|%E'`: a finding for each of our nodes, also for one that is not there.
// Pure.
std::vector<ClusterFinding> ExamineNodes(const std::vector<HostFacts>& hosts,
                                         std::string_view answer);

// Asks all hosts, the controller, and each munge about a word of the controller's.
std::vector<ClusterFinding> ExamineCluster(Hosts& hosts, const ClusterDescription& cluster);

}  // namespace yard::cli
