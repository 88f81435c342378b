// What a server needs to reach a cluster, in a folder: a key of its own, the host keys, and the
// section of its configuration file. Input and output; one thread.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "cli/cluster/attach.h"
#include "cli/cluster/facts.h"

namespace yard::cli {

struct ServerFiles {
  std::string folder;   // where they lie
  bool is_the_servers;  // the section goes into its server.yaml; else it is printed
  std::string account;  // who reads them; empty: their maker

  std::string KeyFile(const std::string& cluster) const { return folder + "/" + cluster + ".key"; }
  std::string KnownHostsFile(const std::string& cluster) const {
    return folder + "/" + cluster + ".known_hosts";
  }
  std::string ConfigFile() const { return folder + "/server.yaml"; }
};

// The public half of the server's key; empty if there is none yet.
Result<std::string> FindPublicKey(const ServerFiles& files, const std::string& cluster);
// Makes it if there is none.
Result<std::string> EnsurePublicKey(const ServerFiles& files, const std::string& cluster);

// The lines by which ssh knows the login host.
std::string KnownHostsOf(const HostFacts& login);

enum class Written { kUnchanged, kChanged };
Result<Written> WriteKnownHosts(const ServerFiles& files, const std::string& cluster,
                                const HostFacts& login);
Result<Written> WriteSection(const ServerFiles& files, const ClusterEntry& entry);

}  // namespace yard::cli
