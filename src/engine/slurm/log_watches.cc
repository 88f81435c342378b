#include "engine/slurm/log_watches.h"

#include <utility>

namespace yard::engine::slurm {

struct LogWatches::Watcher {
  TaskKey key;
  std::function<void()> grown;
  std::recursive_mutex mutex;  // held during a call, so that none comes after the handle has gone
  bool gone = false;           // guarded by mutex
  std::int64_t size = -1;      // of the one who compares
};

class LogWatches::Handle final : public LogWatch {
 public:
  Handle(std::weak_ptr<LogWatches> watches, std::shared_ptr<Watcher> watcher)
      : watches_(std::move(watches)), watcher_(std::move(watcher)) {}
  ~Handle() override {
    {
      std::lock_guard hold(watcher_->mutex);
      watcher_->gone = true;
    }
    if (auto watches = watches_.lock()) watches->Remove(watcher_);
  }

 private:
  const std::weak_ptr<LogWatches> watches_;
  const std::shared_ptr<Watcher> watcher_;
};

LogWatches::LogWatches(std::function<void(std::size_t)> count_changed)
    : count_changed_(std::move(count_changed)) {}

std::unique_ptr<LogWatch> LogWatches::Add(const TaskKey& key, std::function<void()> grown) {
  auto watcher = std::make_shared<Watcher>();
  watcher->key = key;
  watcher->grown = std::move(grown);
  std::lock_guard hold(mutex_);
  watchers_.push_back(watcher);
  if (count_changed_) count_changed_(watchers_.size());
  return std::make_unique<Handle>(weak_from_this(), watcher);
}

void LogWatches::Remove(const std::shared_ptr<Watcher>& watcher) {
  std::lock_guard hold(mutex_);
  std::erase(watchers_, watcher);
  if (count_changed_) count_changed_(watchers_.size());
}

void LogWatches::Close() {
  std::lock_guard hold(mutex_);
  count_changed_ = nullptr;
}

std::vector<TaskKey> LogWatches::Keys() const {
  std::lock_guard hold(mutex_);
  std::vector<TaskKey> keys;
  for (const auto& watcher : watchers_) keys.push_back(watcher->key);
  return keys;
}

void LogWatches::Call(Watcher& watcher) {
  std::lock_guard hold(watcher.mutex);
  if (!watcher.gone) watcher.grown();
}

void LogWatches::Compare(const std::map<TaskKey, std::int64_t>& sizes) {
  std::vector<std::shared_ptr<Watcher>> all;
  {
    std::lock_guard hold(mutex_);
    all = watchers_;
  }
  for (const auto& watcher : all) {
    auto found = sizes.find(watcher->key);
    const std::int64_t size = found == sizes.end() ? 0 : found->second;
    if (std::exchange(watcher->size, size) != size) Call(*watcher);
  }
}

void LogWatches::Notify(const TaskKey& key) {
  std::vector<std::shared_ptr<Watcher>> all;
  {
    std::lock_guard hold(mutex_);
    all = watchers_;
  }
  for (const auto& watcher : all)
    if (watcher->key == key) Call(*watcher);
}

}  // namespace yard::engine::slurm
