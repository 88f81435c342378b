// The folders and files that a pod asks for, by where they come from.
#pragma once

#include <string>
#include <vector>

namespace yard {

struct HostPathMount {
  std::string path;
  std::string mount_path;
  bool read_only = false;
};

struct NfsMount {
  std::string server;
  std::string path;
  std::string mount_path;
  bool read_only = false;
};

// A volume of the project.
struct ClaimMount {
  std::string claim;
  std::string path;
  bool read_only = false;
  bool ephemeral = false;  // empty at the start, gone with the task
  bool existing = false;   // a name that is not there is an error, not a new volume
};

// Fetched before the command starts.
struct GitSource {
  std::string repository;
  std::string branch;
  std::string revision;
  std::string path;
  std::string credential;  // name or id; empty: anonymous
};

struct S3Source {
  std::string url;
  std::string bucket;
  std::string path;
  std::string credential;  // name or id; empty: anonymous
};

// Each key of a credential becomes a file below the path.
struct CredentialFiles {
  std::string credential;
  std::string mount_path;
};

// A version of a data set of the project, read-only.
struct DataSetMount {
  std::string name;
  std::string tag;         // empty: the usual one
  std::string version;     // full id, set when the work is submitted; empty: by its tag
  std::string mount_path;  // empty: /data/NAME
};

// A folder that becomes a version of a data set when the task has ended.
struct OutputSave {
  std::string name;
  std::string tag;   // empty: the usual one
  std::string path;  // where the task sees it; relative: below $GPUYARD_OUTPUT; empty: all of that
};

struct StorageSpec {
  std::vector<HostPathMount> host_paths;
  std::vector<NfsMount> nfs;
  std::vector<ClaimMount> claims;
  std::vector<std::string> scratch;  // paths of empty folders
  std::vector<GitSource> git;
  std::vector<S3Source> s3;
  std::vector<CredentialFiles> config_maps;
  std::vector<CredentialFiles> secrets;
  std::vector<DataSetMount> data_sets;
  std::vector<OutputSave> outputs;
  bool has_data_volumes = false;  // asked for, and not offered
};

}  // namespace yard
