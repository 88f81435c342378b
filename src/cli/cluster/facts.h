// What a host says about itself: a script that only reads, and the reader of its answer. Pure.
//
// The answer comes from another machine. It is lines of a word and a value; words that are not
// known are passed over, values that are not what they should be are refused with the line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::cli {

// Where a host keeps what belongs to its part in a cluster of ours.
inline constexpr std::string_view kHostFolder = "/var/lib/gpuyard-cluster";

struct HostGpu {
  std::string file;  // "/dev/nvidia0"
  std::string type;  // "a100-sxm4-40gb"; empty: nobody says
  std::int64_t memory_mib = 0;
  bool operator==(const HostGpu&) const = default;
};

// Which version of control groups can hold jobs to their memory, cores and devices.
enum class ControlGroups { kNone, kV1, kV2 };
// What starts daemons there.
enum class Starter { kPlain, kSystemd };

struct HostAccount {
  std::int64_t uid = 0;
  std::int64_t gid = 0;
};

struct HostFacts {
  std::string host;  // as the person named it
  std::string node;  // what it calls itself
  std::string address;
  std::int64_t ssh_port = 0;
  std::string system;  // "debian 12"
  std::int64_t cpus = 0;
  std::int64_t sockets = 0;
  std::int64_t cores = 0;    // of a socket
  std::int64_t threads = 0;  // of a core
  std::int64_t memory_mib = 0;
  std::vector<HostGpu> gpus;
  ControlGroups groups = ControlGroups::kNone;
  Starter starter = Starter::kPlain;
  std::map<std::string, std::string> packages;  // versions of those that are installed
  std::set<std::string> daemons;                // that run now
  std::optional<HostAccount> account;
  std::set<std::int64_t> taken_ids;
  bool serves_gpuyard = false;   // a server of ours has data there, or runs
  std::int64_t server_uid = -1;  // whose data it is
  std::string stamp;             // the cluster that it is part of
  std::string folder_id;
  std::int64_t folder_uid = -1;
  std::int64_t folder_names = 0;             // how much lies in it
  std::string munge_key;                     // checksums: of the key,
  std::string own_key;                       // of the one that was put there by us,
  std::string running_key;                   // and of the one that munged was started with
  std::map<std::string, std::string> files;  // settings of Slurm by name, and their text
  std::set<std::string> current;             // daemons that were started with these settings
  std::vector<std::string> host_keys;        // "ssh-ed25519 AAAA…"
  std::vector<std::string> authorised;       // keys that may sign in as the account
  std::int64_t unix_time = 0;

  bool Has(std::string_view package) const { return packages.contains(std::string(package)); }
  bool Runs(std::string_view daemon) const { return daemons.contains(std::string(daemon)); }
};

// A shell's functions `pids NAME` and `stop NAME`: daemons of this machine and not those of
// containers on it.
extern const char* const kDaemonFunctions;

// $1: the account of jobs, $2: the folder that the hosts share.
std::string FactsScript();

// kInvalid: not a whole answer, or a value that cannot be.
Result<HostFacts> ParseFacts(const std::string& host, std::string_view answer);

}  // namespace yard::cli
