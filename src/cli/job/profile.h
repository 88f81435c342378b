// What a folder says about its jobs: `gpuyard-job.yaml`, and the files of Isaac Lab's cluster
// scripts
// (`docker/cluster/.env.cluster`, `docker/.env.base`, `docker/.env.PROFILE`) as they are.
//
// Values only, but for JobProfiles, which reads files.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "cli/job/env_file.h"
#include "cli/submit/submission.h"

namespace yard::cli {

struct JobProfile {
  std::string name;
  std::vector<std::string> command;  // the job's arguments follow it
  std::vector<std::string> outputs;  // paths of the folder where it writes
  std::vector<std::string> modules;
  std::vector<std::string> setup;  // lines for a shell on the node, before the command
  std::string scratch;             // folder of the node for the copy of the code; may name $TMPDIR
  std::string image;               // a SIF on the cluster; empty: a plain process
  std::string code_in_image = {};  // where the code is seen there
  std::vector<std::string> binds;  // SRC[:DST[:ro]]
  Submission work;                 // project, resources, variables
  std::vector<std::string> notes;  // for the person: what was read and is not used
};

class JobProfiles {
 public:
  // Reads the files that are there. Those of a profile that was not asked for are not looked at.
  static Result<JobProfiles> Read(const std::string& folder, const EnvLookup& lookup);

  bool Has(const std::string& name) const;
  // "base" if the name is empty. A folder without any file has an empty profile "base".
  Result<JobProfile> Find(const std::string& name) const;

 private:
  JobProfiles(std::string folder, EnvLookup lookup)
      : folder_(std::move(folder)), lookup_(std::move(lookup)) {}
  Status TakeFiles(const std::string& name, JobProfile& profile) const;

  std::string folder_;
  EnvLookup lookup_;
  std::shared_ptr<const json::value> own_;  // the profiles of gpuyard-job.yaml by name; null: none
};

// Pure: takes what one profile of gpuyard-job.yaml says over what is there.
Status TakeProfile(const json::value& said, JobProfile& profile);

// Pure: what Isaac Lab's variables say. kInvalid for what cannot be done.
Status TakeClusterValues(const EnvValues& values, JobProfile& profile);

// A path inside of the folder: relative, without `..` and control characters.
Status CheckOutput(const std::string& path);

inline constexpr std::string_view kUsualProfile = "base";
inline constexpr const char* kJobFile = "gpuyard-job.yaml";

}  // namespace yard::cli
