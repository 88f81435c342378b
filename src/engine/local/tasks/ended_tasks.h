// The records of ended tasks that left nothing but small files: rows of one database in the
// engine's root, instead of a folder each.
//
// A row holds the files of the folder as they were. Rows that were added are on disk before Add
// returns, so that the folders may go. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/task.h"

namespace yard::engine {

// The contents of the files, see shim/format.h; empty if there was none.
struct EndedFiles {
  std::string spec;
  std::string state;
  std::string log;  // of log.0, the only piece
  std::string log_times;
};

struct EndedTask {
  TaskKey key;
  EndedFiles files;
};

class EndedTasks {
 public:
  virtual ~EndedTasks() = default;

  // A task that is there already stays as it is.
  virtual Status Add(std::span<const EndedTask> tasks) = 0;
  virtual Status Remove(const TaskKey& key) = 0;
  virtual Result<bool> Has(const TaskKey& key) = 0;
  // What `state` said; cheaper than all of it.
  virtual Result<std::optional<std::string>> FindState(const TaskKey& key) = 0;
  virtual Result<std::optional<EndedTask>> Find(const TaskKey& key) = 0;
  // `state` of each, in the order in which they were added. `take` must not call this object.
  virtual Status EachState(
      const std::function<void(const TaskKey&, std::string_view state)>& take) = 0;
  // All of each; ends with the first error of `take`.
  virtual Status Each(const std::function<Status(const EndedTask&)>& take) = 0;
};

enum class EndedMode {
  kOwn,
  kRead
};  // kRead: of an engine that may be running; null if it has none
Result<std::unique_ptr<EndedTasks>> OpenEndedTasks(const std::string& root, EndedMode mode);

}  // namespace yard::engine
