// Who wants to hear when a task's log grows on a cluster: sizes are compared, since no other host
// can tell of changes.
//
// Thread-safe. Callbacks come from the caller of Compare or Notify.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/engine.h"
#include "engine/task.h"

namespace yard::engine::slurm {

class LogWatches : public std::enable_shared_from_this<LogWatches> {
 public:
  // `count_changed` hears how many there are.
  explicit LogWatches(std::function<void(std::size_t)> count_changed);

  // The watch may outlive this.
  std::unique_ptr<LogWatch> Add(const TaskKey& key, std::function<void()> grown);
  std::vector<TaskKey> Keys() const;
  // Calls those whose log has another size than before, and new ones.
  void Compare(const std::map<TaskKey, std::int64_t>& sizes);
  void Notify(const TaskKey& key);
  // Nobody is told of counts any more.
  void Close();

 private:
  struct Watcher;
  class Handle;
  void Remove(const std::shared_ptr<Watcher>& watcher);
  static void Call(Watcher& watcher);

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Watcher>> watchers_;  // guarded by mutex_
  std::function<void(std::size_t)> count_changed_;  // guarded by mutex_
};

}  // namespace yard::engine::slurm
