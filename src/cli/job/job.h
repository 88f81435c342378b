// A job from a folder: its snapshot, the submission, and what comes back.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/job/profile.h"
#include "cli/session.h"
#include "cli/submit/submission.h"
#include "client/client.h"

namespace yard::cli {

// A version of a data set that holds the folder as it was.
struct Snapshot {
  std::string data_set;
  std::string version;
};

struct SnapshotWish {
  std::string folder;
  std::string project_id;
  std::vector<std::string> outputs;  // stay out
};
// Sends what the server does not have. Says what was left out and what leads elsewhere.
client::Outcome<Snapshot> TakeSnapshot(Session& session, const SnapshotWish& wish);

// Pure: the name of a folder's data set.
std::string SnapshotName(const std::string& folder);

// Pure: the profile's work with the snapshot and a command that runs in a copy of it.
Submission JobOf(const JobProfile& profile, const Snapshot& snapshot,
                 const std::vector<std::string>& command);

// Brings the outputs of all attempts, the oldest first, to the same paths of the folder.
client::Outcome<void> BringOutputs(Session& session, const std::string& id,
                                   const std::vector<std::string>& outputs,
                                   const std::string& folder);

}  // namespace yard::cli
