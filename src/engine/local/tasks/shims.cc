#include "engine/local/tasks/shims.h"

#include <poll.h>
#include <signal.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "engine/local/native/spawn.h"
#include "shim/format.h"

namespace yard::engine {

void TellStarted(const RunnerEvents& events, const RunningTask& task) {
  const TaskRecord record = task.folder.ReadRecord();
  if (record.started_at) events.started(task.spec.key, *record.started_at);
}

void Shims::Close() {
  std::map<TaskKey, ShimmedTaskPointer> followed;
  {
    MutexLock hold(mutex_);
    closing_ = true;
    followed.swap(tasks_);
  }
  for (const auto& [key, task] : followed) loop_.Unwatch(task->pidfd.get());
  loop_.Flush();  // one may be ending right now
}

Status Shims::Start(const RunningTask& task, int kept) {
  SpawnSpec spec;
  spec.argv = {program_, task.folder.path()};
  spec.signals = Signals::kBlocked;
  spec.kept = kept;
  YARD_ASSIGN(Child child, Spawn(spec));
  return Watch(task, std::move(child.pidfd));
}

Status Shims::Watch(const RunningTask& task, UniqueFd pidfd) {
  auto followed =
      std::make_shared<const ShimmedTask>(ShimmedTask{task.spec, task.folder, std::move(pidfd)});
  {
    MutexLock hold(mutex_);
    if (closing_) return {};
    tasks_[task.spec.key] = followed;
  }
  return loop_.Watch(followed->pidfd.get(), [this, followed] { OnShimEnded(followed); });
}

void Shims::OnShimEnded(const ShimmedTaskPointer& task) {
  Reap(task->pidfd.get());
  loop_.Unwatch(task->pidfd.get());
  {
    MutexLock hold(mutex_);
    tasks_.erase(task->spec.key);
  }
  on_ended_(task);
}

bool Shims::Follow(const RunningTask& task, const std::function<void(int pid)>& found) {
  while (task.folder.HasShim()) {
    const int pid = task.folder.ReadRecord().shim;
    UniqueFd pidfd = pid <= 0 ? UniqueFd() : OpenPidfd(pid);
    // Alive after its pid was opened, so the pid is its own.
    if (pidfd && task.folder.HasShim()) {
      found(pid);
      if (Watch(task, std::move(pidfd))) return true;
    }
    ::poll(nullptr, 0, 1);  // it has the lock and writes its pid next, or just ended
  }
  return false;
}

bool Shims::Follows(const TaskKey& key) {
  MutexLock hold(mutex_);
  return tasks_.contains(key);
}

Status Shims::Stop(const RunningTask& task, const StopOptions& options) {
  Status sent = SendStop(task.spec.key, options);
  if (!sent && task.folder.ReadRecord().end) return {};
  return sent;
}

Status Shims::SendStop(const TaskKey& key, const StopOptions& options) {
  MutexLock hold(mutex_);
  auto found = tasks_.find(key);
  if (found == tasks_.end())
    return Fail(Code::kUnavailable, "nobody watches over the task right now");
  const shim::StopOrder order{options.signal, options.grace.value / 1000};
  const int pidfd = found->second->pidfd.get();
  if (Queue(pidfd, SIGRTMIN + shim::kStopOffset, shim::PackStop(order))) return {};
  return Fail(Code::kUnavailable, fmt::format("cannot reach the task: {}", std::strerror(errno)));
}

}  // namespace yard::engine
