// Who wants to hear when a task's log grows: one inotify descriptor for all of them.
//
// Thread-safe. Callbacks run on the loop's thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "engine/engine.h"
#include "engine/local/event_loop.h"

namespace yard::engine {

class LogWatches {
 public:
  static Result<std::shared_ptr<LogWatches>> Start(EventLoop& loop);
  ~LogWatches();

  // `grown` is called once soon, then after every change in `folder`. The result may outlive this.
  static Result<std::unique_ptr<LogWatch>> Add(const std::shared_ptr<LogWatches>& watches,
                                               const std::string& folder,
                                               std::function<void()> grown);
  // Calls everyone who watches the folder; on the loop's thread.
  void Notify(const std::string& folder);

 private:
  struct Watcher;
  class Handle;

  LogWatches(EventLoop& loop, UniqueFd inotify);
  void ReadEvents();
  void NotifyWatch(int watch);
  void Remove(const std::shared_ptr<Watcher>& watcher);

  EventLoop& loop_;
  const UniqueFd inotify_;
  std::mutex mutex_;
  std::map<int, std::vector<std::shared_ptr<Watcher>>> watchers_;  // by watch; guarded by mutex_
  std::map<std::string, int> watch_of_;                            // by folder; guarded by mutex_
};

}  // namespace yard::engine
