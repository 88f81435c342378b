// A task's folder on disk, as the server uses it. The layout is told in shim/format.h.
//
// A value: any number may name the same folder. Calls do file input and output. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/task.h"

namespace yard::engine {

// What `state` says.
struct TaskRecord {
  std::int32_t shim = 0;  // pid; 0: none has taken the task yet; -1: one has, but did not say
  std::int32_t pid = 0;   // of the command; 0: it does not run yet
  std::string born;       // the command, as BirthOf tells it
  std::optional<Time> started_at;
  std::optional<TaskEnd> end;
};

// What the file `state` says, and what to append to it for an end that no shim has noted.
TaskRecord ParseTaskState(std::string_view text);
std::string RenderTaskEnd(const TaskEnd& end);

class TaskFolder {
 public:
  TaskFolder(const std::string& root, const TaskKey& key);

  const std::string& path() const { return path_; }
  const TaskKey& key() const { return key_; }
  std::string File(std::string_view name) const;

  // Makes the folder. kConflict if it is there already.
  Status Make() const;
  // Writes the spec, with lines for the shim (`run.…`, see shim/format.h) if it has any. From
  // here on the task is taken.
  Status WriteSpec(const TaskSpec& spec, const std::string& lines_for_shim) const;
  // kNotFound if there is none or it is not whole: the task was never taken.
  Result<TaskSpec> ReadSpec() const;

  TaskRecord ReadRecord() const;
  // For tasks without a shim, and for a shim that died. The first end that was written stays.
  Status WriteEnd(const TaskEnd& end) const;

  // Whether some shim lives and has this task; see shim/format.h.
  bool HasShim() const;
  // Removes what must not outlive the task: tmp and files.
  void RemoveScratch() const;
  // Removes all of it.
  void Remove() const;

 private:
  TaskKey key_;
  std::string path_;
};

// Every folder under `root`, in no order.
std::vector<TaskFolder> ListTaskFolders(const std::string& root);

}  // namespace yard::engine
