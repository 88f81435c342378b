// What a task leaves when it has ended: its output folder, and the folders of its mounts of
// kOutput.
//
// They lie in the task's folder until it is forgotten. Thread-safe.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/local/event_loop.h"
#include "engine/local/runner.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/task.h"

namespace yard::engine {

// Where a container sees the task's own output folder.
inline constexpr char kOutputTarget[] = "/gpuyard/output";

// The folder behind a mount of kOutput.
std::string OutputPath(const TaskFolder& folder, const Mount& mount);
// The same, with the folder around it made. kInvalid if `source` is no plain name.
Result<std::string> MakeOutputPath(const TaskFolder& folder, const Mount& mount);

// A path of the task as a place in its folder, see shim/kept.h. kPrecondition if it is in none.
struct KeptPlace {
  std::string place;
  std::string path;  // below it
  bool operator==(const KeptPlace&) const = default;
};
Result<KeptPlace> KeptPlaceOf(const TaskSpec& spec, const TaskFolder& folder,
                              const std::string& path);

// Reads what tasks have left, by a shim that takes the account which the folder belongs to.
class KeptReader {
 public:
  // What it borrows must outlive it.
  KeptReader(EventLoop& loop, const std::string& shim) : loop_(loop), shim_(shim) {}
  // `verb` of the shim: pack-kept or list-kept.
  Result<std::unique_ptr<Session>> Read(const RunningTask& task, const char* verb,
                                        const std::string& path) const;

 private:
  EventLoop& loop_;
  const std::string& shim_;
};

}  // namespace yard::engine
