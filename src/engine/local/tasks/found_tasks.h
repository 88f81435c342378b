// The tasks of an engine and what they have printed, wherever it is kept: those that it knows from
// their folders, and those that were packed away. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "engine/local/logs/log_reader.h"
#include "engine/local/runner.h"
#include "engine/local/tasks/ended_tasks.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/local/tasks/task_table.h"
#include "engine/task.h"

namespace yard::engine {

// How a task stands by its record.
TaskStatus StatusFrom(const TaskKey& key, const TaskRecord& record);

class FoundTasks {
 public:
  using RunnerOf = std::function<Runner*(const TaskSpec&)>;

  // What it borrows must outlive it.
  FoundTasks(std::string root, const TaskTable& table, EndedTasks& ended, RunnerOf runner_of);

  // kNotFound: there is no such task.
  Result<KnownTaskPointer> Find(const TaskKey& key) const;
  TaskStatus StatusOf(const TaskKey& key) const;
  Result<LogChunk> ReadLog(const TaskKey& key, std::int64_t offset, std::size_t limit) const;
  Result<std::int64_t> LogOffsetAt(const TaskKey& key, Time at) const;

 private:
  Result<EndedTask> Packed(const TaskKey& key) const;
  Result<LogReader> PackedLog(const TaskKey& key) const;

  const std::string root_;
  const TaskTable& table_;
  EndedTasks& ended_;
  const RunnerOf runner_of_;
};

}  // namespace yard::engine
