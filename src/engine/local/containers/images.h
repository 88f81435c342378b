// Gets images onto the machine as a task's pull policy says. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"
#include "engine/local/containers/daemon.h"
#include "engine/task.h"

namespace yard::engine::containers {

class Images {
 public:
  // Told how far it is; false gives up.
  using Progress = std::function<bool(const std::string& sentence)>;

  explicit Images(const Daemon& daemon) : daemon_(daemon) {}

  // One image is pulled once at a time, however many tasks wait for it. Images of the registry
  // "localhost" were made here and are never pulled.
  Status Ensure(const Container& container, const Progress& progress);

 private:
  std::shared_ptr<std::timed_mutex> LockOf(const std::string& image);
  Status EnsureAlone(const Container& container, const std::string& image,
                     const Progress& progress);

  const Daemon& daemon_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<std::timed_mutex>> locks_;  // guarded by mutex_
};

}  // namespace yard::engine::containers
