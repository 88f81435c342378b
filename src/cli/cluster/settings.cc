#include "cli/cluster/settings.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace yard::cli {
namespace {

// What the system keeps of a host's memory: a part of it, and never less than this.
constexpr std::int64_t kSystemPart = 32;
constexpr std::int64_t kSystemLeastMib = 512;

constexpr const char* kHead =
    "# Written by `gpuyard cluster` for the cluster {}; add-host and remove-host write it anew.\n";

constexpr const char* kDaemons = R"(SlurmUser=slurm
AuthType=auth/munge
CredType=cred/munge
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=/var/log/slurm/jobcomp.log
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
MpiDefault=none
ReturnToService=2
SlurmdTimeout=60
InactiveLimit=0
)";

std::string Tracking(ControlGroups groups) {
  if (groups == ControlGroups::kNone)
    return "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
           "JobAcctGatherType=jobacct_gather/linux\n";
  return "ProctrackType=proctrack/cgroup\nTaskPlugin=task/cgroup\n"
         "JobAcctGatherType=jobacct_gather/cgroup\n";
}

// A job that asks for no memory has its part by its processors.
std::int64_t MemoryPerCpu(std::span<const HostFacts> hosts) {
  std::int64_t least = JobMemoryMib(hosts.front());
  for (const HostFacts& host : hosts) least = std::min(least, JobMemoryMib(host) / host.cpus);
  return std::max<std::int64_t>(least, 1);
}

std::string NodeLine(const HostFacts& host) {
  std::string line =
      fmt::format("NodeName={} NodeAddr={} CPUs={}", host.node, host.address, host.cpus);
  if (host.sockets > 0)
    line += fmt::format(" Sockets={} CoresPerSocket={} ThreadsPerCore={}", host.sockets, host.cores,
                        host.threads);
  line += fmt::format(" RealMemory={}", JobMemoryMib(host));
  if (const std::string gres = GresOf(host); !gres.empty()) line += " Gres=" + gres;
  return line + " State=UNKNOWN\n";
}

bool HasGpus(std::span<const HostFacts> hosts) {
  return std::ranges::any_of(hosts, [](const HostFacts& host) { return !host.gpus.empty(); });
}

std::string SlurmConf(const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  std::string text = fmt::format(kHead, cluster.name);
  text += fmt::format("ClusterName={}\nSlurmctldHost={}({})\n", cluster.name, hosts.front().node,
                      hosts.front().address);
  text += kDaemons;
  text += Tracking(GroupsOf(hosts));
  text += fmt::format("DefMemPerCPU={}\n", MemoryPerCpu(hosts));
  if (HasGpus(hosts)) text += "GresTypes=gpu\n";
  for (const HostFacts& host : hosts) text += NodeLine(host);
  return text + fmt::format("PartitionName={} Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
                            kPartition);
}

std::string GresConf(const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  std::string text = fmt::format(kHead, cluster.name) + "AutoDetect=off\n";
  for (const HostFacts& host : hosts)
    for (const HostGpu& gpu : host.gpus)
      text += fmt::format("NodeName={} Name=gpu{} File={}\n", host.node,
                          gpu.type.empty() ? "" : " Type=" + gpu.type, gpu.file);
  return text;
}

std::string CgroupConf(const ClusterDescription& cluster, std::span<const HostFacts> hosts) {
  const ControlGroups groups = GroupsOf(hosts);
  std::string text = fmt::format(kHead, cluster.name);
  if (groups == ControlGroups::kNone) return text + "# Not used: see `gpuyard cluster doctor`.\n";
  text += groups == ControlGroups::kV1 ? "CgroupMountpoint=/sys/fs/cgroup\nCgroupPlugin=cgroup/v1\n"
                                       : "CgroupPlugin=cgroup/v2\n";
  return text +
         "ConstrainCores=yes\nConstrainRAMSpace=yes\nConstrainSwapSpace=no\n"
         "ConstrainDevices=yes\n";
}

}  // namespace

ControlGroups GroupsOf(std::span<const HostFacts> hosts) {
  const ControlGroups first = hosts.front().groups;
  for (const HostFacts& host : hosts) {
    if (host.groups != first) return ControlGroups::kNone;
    // The second version is divided by systemd; Slurm asks it.
    if (first == ControlGroups::kV2 && host.starter != Starter::kSystemd)
      return ControlGroups::kNone;
  }
  return first;
}

std::int64_t JobMemoryMib(const HostFacts& host) {
  const std::int64_t kept = std::max(host.memory_mib / kSystemPart, kSystemLeastMib);
  return std::max<std::int64_t>(host.memory_mib - kept, 1);
}

std::string GresOf(const HostFacts& host) {
  std::map<std::string, int> count;
  for (const HostGpu& gpu : host.gpus) ++count[gpu.type];
  std::string text;
  for (const auto& [type, number] : count)
    text +=
        fmt::format("{}gpu:{}{}{}", text.empty() ? "" : ",", type, type.empty() ? "" : ":", number);
  return text;
}

std::string GpuMemoryOf(std::span<const HostFacts> hosts) {
  std::map<std::string, std::int64_t> memory;
  for (const HostFacts& host : hosts)
    for (const HostGpu& gpu : host.gpus)
      if (!gpu.type.empty() && gpu.memory_mib > 0) memory[gpu.type] = gpu.memory_mib;
  std::string text;
  for (const auto& [type, mib] : memory)
    text += fmt::format("{}{}={}Mi", text.empty() ? "" : ",", type, mib);
  return text;
}

std::vector<SlurmFile> SlurmFiles(const ClusterDescription& cluster,
                                  std::span<const HostFacts> hosts) {
  return {{"slurm.conf", SlurmConf(cluster, hosts)},
          {"gres.conf", GresConf(cluster, hosts)},
          {"cgroup.conf", CgroupConf(cluster, hosts)}};
}

}  // namespace yard::cli
