// The few lines of shell that run on a cluster's login node, as commands. Each is one round trip.
//
// Everything that changes comes in as an argument or as input, never as part of the script. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/slurm/plan.h"
#include "engine/slurm/site.h"

namespace yard::engine::slurm {

// Exit codes of Submit beside 0.
inline constexpr std::int32_t kTryAgain = 75;  // the file system or squeue did not work
inline constexpr std::int32_t kRefused = 76;   // sbatch did not take the job; its words on error

// Makes the folders and puts the shim there unless it is there; prints the account's uid.
Command PrepareScript(const Layout& layout, std::string shim);

struct Submission {
  std::string folder;
  std::string job_name;
  std::string script;
  std::string owner;  // "uid:gid" of another account; empty: our own
  std::string spec;
  std::vector<std::string> sbatch;
};
// Submits the job unless an earlier call did, also one that was cut off half-way. Prints the job's
// id, 0 if it ran but Slurm has forgotten it.
Command SubmitScript(Submission submission);

// A tar stream of `job`, `spec`, `stop`, `state` and `end` of every task.
Command AdoptScript(const Layout& layout);
// A tar stream of `state` of the tasks that have made a mark since the last call; none: empty.
Command LookScript(const Layout& layout);
// The same for these tasks.
Command StatesScript(const Layout& layout, std::span<const TaskKey> keys);

// Writes the order down, then lets Slurm signal the job; one that waits is cancelled.
Command StopScript(const std::string& folder, std::int64_t job, const StopOptions& options);
Command AppendScript(const std::string& path, std::string text);
Command RemoveScript(const std::string& folder);

// "<name> <size>" of each piece of these logs, one a line.
Command LogSizesScript(const Layout& layout, std::span<const TaskKey> keys);
Command ReadScript(const std::string& path, std::int64_t offset, std::size_t limit);

}  // namespace yard::engine::slurm
