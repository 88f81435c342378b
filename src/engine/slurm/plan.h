// What a task becomes on a Slurm cluster: its spec for the shim, the job's script and the arguments
// of sbatch. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/slurm/options.h"
#include "engine/task.h"

namespace yard::engine::slurm {

// Where a cluster keeps what belongs to us.
struct Layout {
  std::string root;
  std::string shim_name;  // changes with the program, so that running tasks keep theirs

  std::string Shim() const { return root + "/bin/" + shim_name; }
  std::string TaskFolder(const TaskKey& key) const;
  std::string Mark(const TaskKey& key) const;
  // `source` as a mount of kDataSet has it.
  std::string DataFolder(std::string_view source) const;
};

// Why the task cannot run as a job, if it cannot: in words that say what to change.
Status CheckTask(const TaskSpec& spec);

// The text of the file `spec` for the shim, see shim/format.h.
std::string SpecText(const TaskSpec& spec, const Layout& layout, const SlurmOptions& options);
std::string JobScript(const TaskSpec& spec, const Layout& layout);
// All arguments but the script's path.
std::vector<std::string> SbatchArguments(const TaskSpec& spec, const Layout& layout,
                                         const SubmitOptions& options);

// The identity of the n-th GPU of a kind, in the form "slurm:<node>:<type>:<n>", and its type.
std::string GpuName(std::string_view node, std::string_view type, std::int64_t index);
std::string_view GpuType(std::string_view name);

}  // namespace yard::engine::slurm
