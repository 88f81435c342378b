// The settings of Slurm for hosts that have said what they are. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/cluster/description.h"
#include "cli/cluster/facts.h"

namespace yard::cli {

// The partition that has all hosts.
inline constexpr const char* kPartition = "main";

struct SlurmFile {
  std::string name;  // in /etc/slurm
  std::string text;
};

// The same on every host: slurm.conf, gres.conf, cgroup.conf. The first host has the controller.
std::vector<SlurmFile> SlurmFiles(const ClusterDescription& cluster,
                                  std::span<const HostFacts> hosts);

// The control groups that hold jobs: those of one version on all hosts, or none, since Slurm has
// one setting for the whole cluster.
ControlGroups GroupsOf(std::span<const HostFacts> hosts);

// What jobs may have of a host: a part stays for the system.
std::int64_t JobMemoryMib(const HostFacts& host);
// "gpu:a100:4,gpu:h100:4"; empty without GPUs.
std::string GresOf(const HostFacts& host);
// "a100=40960Mi,h100=81920Mi", as the server's option gpu-memory has it.
std::string GpuMemoryOf(std::span<const HostFacts> hosts);

}  // namespace yard::cli
