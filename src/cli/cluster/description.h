// What is remembered about a cluster that this program made: which hosts, how they are reached. All
// else is asked of the hosts each time. One file for each cluster, beside the command line's
// profile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace yard::cli {

// How ssh reaches the hosts; empty: as ssh itself has it.
struct SshWay {
  std::string user = "root";
  std::int64_t port = 0;
  std::string key;
  std::string known_hosts;
  bool operator==(const SshWay&) const = default;
};

struct ClusterDescription {
  std::string name;
  std::vector<std::string> hosts;  // the first one has the controller
  SshWay way;
  std::string account = "gpuyard-jobs";  // whose rights all jobs have
  std::string folder = "/shared/gpuyard";
  std::string server_folder = {};  // where the server has its configuration file; may be empty
  std::string id = {};             // lies in the folder: a host that sees it shares the folder
  bool operator==(const ClusterDescription&) const = default;
};

// kInvalid if one of its values could mean something else somewhere.
Status CheckDescription(const ClusterDescription& cluster);

std::string WriteDescription(const ClusterDescription& cluster);
Result<ClusterDescription> ReadDescription(std::string_view text);

// The files of all clusters of one person.
class ClusterFolder {
 public:
  explicit ClusterFolder(std::string path) : path_(std::move(path)) {}

  std::string FileOf(const std::string& name, std::string_view ending) const;
  Status Save(const ClusterDescription& cluster) const;
  // kNotFound names those that are there. Empty: the only one.
  Result<ClusterDescription> Find(const std::string& name) const;
  std::vector<std::string> Names() const;
  Status Remove(const std::string& name) const;

 private:
  std::string path_;
};

// Replaces the file as a whole.
enum class FileMode { kOwn = 0600, kReadable = 0644 };
Status ReplaceFile(const std::string& path, std::string_view text, FileMode mode);

}  // namespace yard::cli
