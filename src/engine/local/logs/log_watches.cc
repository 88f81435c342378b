#include "engine/local/logs/log_watches.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace yard::engine {

struct LogWatches::Watcher {
  std::string folder;
  int watch = -1;
  std::function<void()> grown;
  std::recursive_mutex mutex;  // held while `grown` runs
  bool gone = false;           // guarded by mutex

  void Call() {
    std::lock_guard hold(mutex);
    if (!gone) grown();
  }
};

class LogWatches::Handle final : public LogWatch {
 public:
  Handle(std::weak_ptr<LogWatches> watches, std::shared_ptr<Watcher> watcher)
      : watches_(std::move(watches)), watcher_(std::move(watcher)) {}
  ~Handle() override {
    if (std::shared_ptr<LogWatches> watches = watches_.lock()) watches->Remove(watcher_);
    std::lock_guard hold(watcher_->mutex);
    watcher_->gone = true;
  }

 private:
  const std::weak_ptr<LogWatches> watches_;
  const std::shared_ptr<Watcher> watcher_;
};

Result<std::shared_ptr<LogWatches>> LogWatches::Start(EventLoop& loop) {
  UniqueFd inotify(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!inotify) return Fail(Code::kUnavailable, fmt::format("inotify: {}", std::strerror(errno)));
  std::shared_ptr<LogWatches> watches(new LogWatches(loop, std::move(inotify)));
  YARD_TRY(loop.Watch(watches->inotify_.get(), [raw = watches.get()] { raw->ReadEvents(); }));
  return watches;
}

LogWatches::LogWatches(EventLoop& loop, UniqueFd inotify)
    : loop_(loop), inotify_(std::move(inotify)) {}

LogWatches::~LogWatches() {
  loop_.Unwatch(inotify_.get());
}

Result<std::unique_ptr<LogWatch>> LogWatches::Add(const std::shared_ptr<LogWatches>& watches,
                                                  const std::string& folder,
                                                  std::function<void()> grown) {
  auto watcher = std::make_shared<Watcher>();
  watcher->folder = folder;
  watcher->grown = std::move(grown);
  {
    std::lock_guard hold(watches->mutex_);
    watcher->watch = inotify_add_watch(watches->inotify_.get(), folder.c_str(),
                                       IN_MODIFY | IN_CREATE | IN_MOVED_TO);
    // A folder that is gone, or goes now, belongs to a task that has ended: its log grows no more.
    if (watcher->watch < 0 && errno != ENOENT)
      return Fail(Code::kUnavailable,
                  fmt::format("cannot watch {}: {}", folder, std::strerror(errno)));
    if (watcher->watch >= 0) {
      watches->watchers_[watcher->watch].push_back(watcher);
      watches->watch_of_[folder] = watcher->watch;
    }
  }
  watches->loop_.Post([watcher] { watcher->Call(); });
  return std::make_unique<Handle>(watches, watcher);
}

void LogWatches::Remove(const std::shared_ptr<Watcher>& watcher) {
  std::lock_guard hold(mutex_);
  auto found = watchers_.find(watcher->watch);
  if (found == watchers_.end()) return;
  std::erase(found->second, watcher);
  if (!found->second.empty()) return;
  inotify_rm_watch(inotify_.get(), watcher->watch);
  watchers_.erase(found);
  watch_of_.erase(watcher->folder);
}

void LogWatches::NotifyWatch(int watch) {
  std::vector<std::shared_ptr<Watcher>> called;
  {
    std::lock_guard hold(mutex_);
    auto found = watchers_.find(watch);
    if (found != watchers_.end()) called = found->second;
  }
  for (const auto& watcher : called) watcher->Call();
}

void LogWatches::Notify(const std::string& folder) {
  int watch = -1;
  {
    std::lock_guard hold(mutex_);
    auto found = watch_of_.find(folder);
    if (found == watch_of_.end()) return;
    watch = found->second;
  }
  NotifyWatch(watch);
}

void LogWatches::ReadEvents() {
  alignas(inotify_event) char bytes[16 << 10];
  const ssize_t got = ::read(inotify_.get(), bytes, sizeof(bytes));
  std::set<int> changed;
  bool overflowed = false;
  for (ssize_t at = 0; at < got;) {
    inotify_event event{};
    std::memcpy(&event, bytes + at, sizeof(event));
    changed.insert(event.wd);
    overflowed = overflowed || (event.mask & IN_Q_OVERFLOW) != 0;
    at += static_cast<ssize_t>(sizeof(event) + event.len);
  }
  // The kernel dropped events and does not say whose.
  if (overflowed) {
    std::lock_guard hold(mutex_);
    for (const auto& [watch, watchers] : watchers_) changed.insert(watch);
  }
  for (const int watch : changed) NotifyWatch(watch);
}

}  // namespace yard::engine
