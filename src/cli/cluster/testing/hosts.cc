#include "cli/cluster/testing/hosts.h"

#include <fmt/format.h>

#include "cli/cluster/settings.h"

namespace yard::cli::testing {

ClusterDescription Lab(int hosts) {
  ClusterDescription cluster{.name = "lab", .hosts = {}, .way = {}};
  cluster.id = "01234567-89ab-7def-8123-456789abcdef";
  for (int n = 1; n <= hosts; ++n) cluster.hosts.push_back(fmt::format("gpu{}", n));
  return cluster;
}

HostFacts Bare(int number) {
  HostFacts host;
  host.host = host.node = fmt::format("gpu{}", number);
  host.address = fmt::format("10.0.0.{}", number);
  host.ssh_port = 22;
  host.system = "debian 12";
  host.cpus = 8;
  host.sockets = 1;
  host.cores = 4;
  host.threads = 2;
  host.memory_mib = 64000;
  host.groups = ControlGroups::kV1;
  host.gpus = {{"/dev/nvidia0", "a100", 40960}, {"/dev/nvidia1", "a100", 40960}};
  host.host_keys = {"ssh-ed25519 AAAA"};
  host.unix_time = 1'000'000;
  return host;
}

std::vector<HostFacts> Done(const ClusterDescription& cluster, std::vector<HostFacts> hosts) {
  const std::string key(64, 'a');
  for (HostFacts& host : hosts) {
    host.stamp = cluster.name;
    host.folder_id = cluster.id;
    host.folder_uid = 2000;
    host.account = HostAccount{2000, 2000};
    host.packages = {{"munge", "1"}, {"slurm-client", "1"}, {"slurmd", "1"}, {"slurmctld", "1"}};
    host.daemons = {"munged", "slurmd", "slurmctld"};
    host.current = {"slurmd", "slurmctld"};
    host.munge_key = host.own_key = host.running_key = key;
  }
  for (const SlurmFile& file : SlurmFiles(cluster, hosts))
    for (HostFacts& host : hosts) host.files[file.name] = file.text;
  return hosts;
}

std::string Outline(const Plan& plan) {
  std::string text;
  for (const Phase& phase : plan) {
    text += phase.title + ":";
    for (const Step& step : phase.steps) text += " " + step.host;
    text += "\n";
  }
  return text;
}

}  // namespace yard::cli::testing
