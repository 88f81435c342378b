// One Slurm cluster as this server uses it: jobs, files of tasks, nodes. Knows nothing of who is
// told about it.
//
// Calls block for a round trip to the site. kUnavailable: try again. Thread-safe: no state but what
// Prepare found.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/slurm/jobs.h"
#include "engine/slurm/nodes.h"
#include "engine/slurm/options.h"
#include "engine/slurm/plan.h"
#include "engine/slurm/site.h"
#include "engine/task.h"

namespace yard::engine::slurm {

// A task that an earlier life of this server has submitted.
struct FoundTask {
  TaskSpec spec;
  std::optional<JobId> job;  // absent: Slurm has forgotten it
  std::optional<StopOptions> stop;
  TaskRecord record;           // as the shim noted it
  std::optional<TaskEnd> end;  // as it was decided
};

// What became of a submission.
struct Submitted {
  std::optional<JobId> job;  // absent: it ran before, and Slurm has forgotten it
  std::string refusal;       // of sbatch, in its own words; empty: it was taken
};

class Cluster {
 public:
  // Asks nobody yet. kInvalid if the options cannot be right.
  static Result<std::unique_ptr<Cluster>> Open(SlurmOptions options, std::unique_ptr<Site> site);
  // Makes the folders and puts the shim there; before all calls below. kUnavailable: try again.
  Status Prepare();

  Site& site() const { return *site_; }
  const Layout& layout() const { return layout_; }
  const SlurmOptions& options() const { return options_; }
  // Why the task's account cannot be used, if it cannot.
  Status CheckAccount(const TaskSpec& spec) const;

  // A submission that was cut off before Slurm had the job is taken back.
  Result<std::vector<FoundTask>> Find();
  Result<Submitted> Submit(const TaskSpec& spec);
  Status Stop(const TaskKey& key, std::optional<JobId> job, const StopOptions& options);
  // By Slurm, at once, and without asking the shim.
  Status Kill(JobId job);
  // The end stays on record, in a file beside what the shim notes.
  Status NoteEnd(const TaskKey& key, const TaskEnd& end);
  Status Remove(const TaskKey& key);

  using Records = std::map<TaskKey, TaskRecord>;
  // Of tasks that have started or ended since the last call.
  Result<Records> Look();
  Result<Records> RecordsOf(std::span<const TaskKey> keys);
  // Those that Slurm knows.
  Result<std::vector<Job>> Jobs(std::span<const JobId> jobs);
  // From the accounting; empty if there is none.
  std::vector<Job> PastJobs(std::span<const JobId> jobs);
  Result<std::vector<Node>> Nodes();

  // By task: the bytes of its log so far.
  Result<std::map<TaskKey, std::int64_t>> LogSizes(std::span<const TaskKey> keys);

 private:
  Cluster(SlurmOptions options, std::unique_ptr<Site> site, Layout layout, std::string shim);
  void FindJobs(std::vector<FoundTask>& tasks);
  Result<Output> Ask(const Command& command) const;
  Result<std::map<std::string, std::string>> Files(const Command& command) const;
  Result<Records> RecordsFrom(const Command& command) const;

  const SlurmOptions options_;
  const std::unique_ptr<Site> site_;
  const Layout layout_;
  const std::string shim_;          // the program itself
  std::atomic<std::uint32_t> uid_;  // of our account there, once it is prepared
};

}  // namespace yard::engine::slurm
