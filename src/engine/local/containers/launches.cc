#include "engine/local/containers/launches.h"

#include <utility>

namespace yard::engine::containers {

bool Launches::Handle::IsGivenUp() const {
  MutexLock hold(launches_.mutex_);
  auto found = launches_.launches_.find(key_);
  return launches_.closing_ || found == launches_.launches_.end() || found->second.stop;
}

bool Launches::Handle::IsClosing() const {
  MutexLock hold(launches_.mutex_);
  return launches_.closing_;
}

void Launches::Begin(const TaskKey& key, Work work, After after) {
  std::vector<std::thread> ended;
  {
    MutexLock hold(mutex_);
    changed_.wait(hold,
                  [&]() YARD_REQUIRES(mutex_) { return closing_ || !launches_.contains(key); });
    ended.swap(ended_);
    // The thread takes the lock before it ends, so it cannot end before it is kept here.
    if (!closing_)
      launches_[key].thread =
          std::thread([this, key, work = std::move(work), after = std::move(after)] {
            work(Handle(*this, key));
            End(key, after);
          });
  }
  for (std::thread& thread : ended) thread.join();
}

void Launches::End(const TaskKey& key, const After& after) {
  std::optional<StopOptions> stop;
  {
    MutexLock hold(mutex_);
    auto found = launches_.find(key);
    stop = found->second.stop;
    ended_.push_back(std::move(found->second.thread));
    launches_.erase(found);
    changed_.notify_all();
  }
  after(stop);
}

bool Launches::Stop(const TaskKey& key, const StopOptions& options) {
  MutexLock hold(mutex_);
  auto found = launches_.find(key);
  if (found == launches_.end()) return false;
  found->second.stop = options;
  return true;
}

void Launches::Close() {
  std::vector<std::thread> ended;
  {
    MutexLock hold(mutex_);
    closing_ = true;
    changed_.notify_all();
    changed_.wait(hold, [&]() YARD_REQUIRES(mutex_) { return launches_.empty(); });
    ended.swap(ended_);
  }
  for (std::thread& thread : ended) thread.join();
}

}  // namespace yard::engine::containers
