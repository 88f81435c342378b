// What Slurm says about jobs: how it is asked, and its answers as values. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/strong.h"
#include "base/time.h"

namespace yard::engine::slurm {

using JobId = StrongId<struct SlurmJobTag>;

enum class JobPhase {
  kPending,
  kRunning,  // it has its nodes; also while they are made ready or cleaned up
  kEnded,
};

struct Job {
  JobId id;
  std::string state;  // Slurm's word: "RUNNING", "NODE_FAIL"
  JobPhase phase = JobPhase::kPending;
  std::string reason;  // why it waits, or how it ended; Slurm's word, empty: none
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::optional<Time> started_at;  // for one that waits: when Slurm expects it to start
  std::optional<Time> ended_at;
  std::string node;  // Slurm's short form if there are more
};

// Of one of Slurm's state words, long or short form of neither case. Unknown words, which newer
// versions may have, count as running: such a job is asked for again.
JobPhase PhaseOf(std::string_view state);

// Asks for exactly these jobs, so that no name of somebody else's job comes into the answer.
std::vector<std::string> SqueueCommand(std::span<const JobId> jobs);
// Jobs that Slurm has dropped from its memory are not in the answer. Odd lines are skipped.
std::vector<Job> ParseSqueue(std::string_view text);

// The same from the accounting, which remembers jobs for longer.
std::vector<std::string> SacctCommand(std::span<const JobId> jobs);
std::vector<Job> ParseSacct(std::string_view text);

// The jobs of these names, which must be ours: "<id> <name>" a line.
std::vector<std::string> FindCommand(std::span<const std::string> names);
std::map<std::string, JobId> ParseFound(std::string_view text);

// "123" or "123;cluster", as `sbatch --parsable` prints it.
std::optional<JobId> ParseSubmitted(std::string_view text);

// Of a program of Slurm that failed: whether its words say that the controller could not be
// reached, so that the same request may succeed later.
bool IsOutage(std::string_view words);
// Whether they say that there is no such job, that it has ended, or that it does not run yet.
bool IsGone(std::string_view words);

}  // namespace yard::engine::slurm
