// What the verbs of `gpuyard cluster` do, from their arguments. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/cluster/description.h"
#include "cli/session.h"
#include "client/client.h"

namespace yard::cli {

struct ClusterArguments {
  std::string name;
  std::string engine = "slurm";
  std::vector<std::string> hosts;
  std::string ssh_user;
  std::int64_t ssh_port = 0;
  std::string ssh_key;
  std::string ssh_known_hosts;
  std::string account;
  std::string folder;
  std::string server_folder;
  std::string server_account;
  bool dry_run = false;
  // remove-host and destroy
  bool gone = false;
  bool force = false;
  bool yes = false;
  std::int64_t timeout_s = 3600;
  // attach
  std::string ssh;
  std::string partition;
  std::string slurm_account;
  std::string qos;
  std::string gpu_memory;
};

client::Outcome<void> CreateCluster(Session& session, const ClusterArguments& arguments);
client::Outcome<void> AddHosts(Session& session, const ClusterArguments& arguments);
client::Outcome<void> RemoveHost(Session& session, const ClusterArguments& arguments);
client::Outcome<void> DoctorCluster(Session& session, const ClusterArguments& arguments);
client::Outcome<void> DestroyCluster(Session& session, const ClusterArguments& arguments);
client::Outcome<void> AttachCluster(Session& session, const ClusterArguments& arguments);

// Where the descriptions of clusters lie.
std::string ClusterPlace(const Session& session);

}  // namespace yard::cli
