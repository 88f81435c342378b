// Hosts for tests, without machines.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/cluster/description.h"
#include "cli/cluster/facts.h"
#include "cli/cluster/plan.h"

namespace yard::cli::testing {

// gpu1, gpu2, …: a cluster named "lab".
ClusterDescription Lab(int hosts);
// Debian with eight processors and two GPUs of type a100, and nothing of Slurm.
HostFacts Bare(int number);
// What the plan leaves behind: the same hosts with all of its steps done.
std::vector<HostFacts> Done(const ClusterDescription& cluster, std::vector<HostFacts> hosts);

// "title: gpu1 gpu2" lines.
std::string Outline(const Plan& plan);

}  // namespace yard::cli::testing
