// Puts ended tasks that left nothing but small files away: a row of EndedTasks instead of a folder.
//
// A task keeps its folder if it left outputs, a long log, or anything that is not known here. A
// task is packed some time after its end, with others, so that work which comes and goes fast is
// not slowed down. The server may be killed at any step: the row counts as soon as it is there,
// until then the folder does. Thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/time.h"
#include "engine/local/tasks/ended_tasks.h"
#include "engine/local/tasks/task_folder.h"
#include "engine/local/tasks/task_table.h"

namespace yard::engine {

// The small files of an ended task; absent if the folder has to stay. Removes empty folders in it.
std::optional<EndedFiles> TakeEndedFiles(const TaskFolder& folder);
// Removes what TakeEndedFiles has read, and nothing else.
void RemovePacked(const TaskFolder& folder);

class TaskPacker {
 public:
  struct Options {
    Micros delay;
    std::function<void(std::string_view)> at_step = {};  // for tests
  };
  // What it borrows must outlive it.
  TaskPacker(TaskTable& table, EndedTasks& ended, Options options);
  ~TaskPacker();
  TaskPacker(const TaskPacker&) = delete;
  TaskPacker& operator=(const TaskPacker&) = delete;

  // The task has ended. Packed after the delay, at the latest after twice as long.
  void Add(const TaskKey& key);

 private:
  void Run();
  void Pack(std::vector<TaskKey> keys);
  void PackSome(std::span<const TaskKey> keys);
  void Step(std::string_view step) const;

  TaskTable& table_;
  EndedTasks& ended_;
  const Options options_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<TaskKey> waiting_ YARD_GUARDED_BY(mutex_);
  bool stop_ YARD_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace yard::engine
