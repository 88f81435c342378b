// Lays out what a container needs on the machine before it is made: folders and files to bind, and
// the lines its shim obeys.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/local/containers/create.h"
#include "engine/local/kept_output.h"
#include "engine/local/runner.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine::containers {

// Where a container sees its temporary folder, which goes with the task.
inline constexpr char kTmpTarget[] = "/gpuyard/tmp";
// And our own program, static, for what is to be done inside with nothing of the image's.
inline constexpr char kShimTarget[] = "/gpuyard/shim";

// A task of one's own, for work that outlives the call that began it.
struct KnownCopy {
  TaskSpec spec;
  TaskFolder folder;
  RunningTask view() const { return {spec, folder}; }
};

struct LayoutContext {
  std::string root;    // volumes are kept in <root>/volumes
  std::string socket;  // the daemon's
  std::string parent;  // control group around the container; empty: none
  std::string group_lines;
  bool sync_ends = false;
};

// What outlives tasks.
struct KeptFolders {
  std::string root;       // volumes are in <root>/volumes
  std::string data_sets;  // data sets are in <data_sets>/PROJECT/VERSION
};

// Makes the files and folders that are the task's own; an error names what is wrong.
struct SourcePlace {
  KeptFolders kept;
  Account owner;  // on the machine
};
Status MakeOwnSources(const TaskSpec& spec, const TaskFolder& folder, const SourcePlace& place);

// The spec's mounts in order, then output and temporary folder. Answers the same before and after
// the sources were made.
std::vector<Bind> BindsOf(const TaskSpec& spec, const TaskFolder& folder, const KeptFolders& kept);

// The lines for the shim.
std::string ShimLines(const TaskSpec& spec, const TaskFolder& folder, const LayoutContext& context);

// Network folders are mounted on the machine because a daemon cannot see into a namespace of ours;
// folders of the machine because a daemon goes by paths (host_binds.h). Mounting again what is
// mounted changes nothing. The shim unmounts; so does the second one.
Status MountShared(const TaskSpec& spec, const TaskFolder& folder);
void UnmountShared(const TaskSpec& spec, const TaskFolder& folder);

}  // namespace yard::engine::containers
