#include "engine/local/tasks/task_table.h"

#include <algorithm>
#include <utility>

namespace yard::engine {

std::vector<TaskStatus> TaskTable::Listen(Listener listener,
                                          std::function<void(const TaskKey&)> on_ended) {
  MutexLock hold(mutex_);
  listener_ = std::make_shared<Listener>(std::move(listener));
  on_ended_ = std::move(on_ended);
  return AllLocked();
}

bool TaskTable::Reserve(const TaskKey& key) {
  MutexLock hold(mutex_);
  settled_.wait(hold, [&]() YARD_REQUIRES(mutex_) {
    return std::ranges::find(launching_, key) == launching_.end();
  });
  if (rows_.contains(key)) return false;
  launching_.push_back(key);
  return true;
}

void TaskTable::Settle(const TaskKey& key) {
  {
    MutexLock hold(mutex_);
    std::erase(launching_, key);
  }
  settled_.notify_all();
}

void TaskTable::AwaitSettled(const TaskKey& key) {
  MutexLock hold(mutex_);
  settled_.wait(hold, [&]() YARD_REQUIRES(mutex_) {
    return std::ranges::find(launching_, key) == launching_.end();
  });
}

void TaskTable::Add(KnownTask task, TaskStatus status) {
  MutexLock hold(mutex_);
  const TaskKey key = task.spec.key;
  rows_[key] = {std::make_shared<const KnownTask>(std::move(task)), std::move(status)};
}

void TaskTable::Remove(const TaskKey& key) {
  MutexLock hold(mutex_);
  rows_.erase(key);
}

bool TaskTable::Knows(const TaskKey& key) const {
  MutexLock hold(mutex_);
  return rows_.contains(key);
}

KnownTaskPointer TaskTable::Find(const TaskKey& key) const {
  MutexLock hold(mutex_);
  auto row = rows_.find(key);
  return row == rows_.end() ? nullptr : row->second.task;
}

TaskStatus TaskTable::StatusOf(const TaskKey& key) const {
  MutexLock hold(mutex_);
  auto row = rows_.find(key);
  if (row != rows_.end()) return row->second.status;
  TaskStatus unknown;
  unknown.key = key;
  return unknown;
}

std::vector<TaskStatus> TaskTable::All() const {
  MutexLock hold(mutex_);
  return AllLocked();
}

std::vector<TaskStatus> TaskTable::AllLocked() const {
  std::vector<TaskStatus> all;
  all.reserve(rows_.size());
  for (const auto& [key, row] : rows_) all.push_back(row.status);
  return all;
}

// Posted while the lock is held, so that the order of changes is the order of words.
void TaskTable::Tell(const TaskStatus& status) {
  if (!listener_) return;
  loop_.Post([listener = listener_, on_ended = on_ended_, status] {
    if (listener->on_task) listener->on_task(status);
    if (status.state == TaskState::kEnded) on_ended(status.key);
  });
}

void TaskTable::SetDetail(const TaskKey& key, std::string detail) {
  MutexLock hold(mutex_);
  auto row = rows_.find(key);
  if (row == rows_.end() || row->second.status.state != TaskState::kStarting) return;
  row->second.status.detail = std::move(detail);
  Tell(row->second.status);
}

void TaskTable::SetStarted(const TaskKey& key, Time at) {
  MutexLock hold(mutex_);
  auto row = rows_.find(key);
  if (row == rows_.end() || row->second.status.state != TaskState::kStarting) return;
  TaskStatus& status = row->second.status;
  status.state = TaskState::kRunning;
  status.detail.clear();
  status.started_at = at;
  Tell(status);
}

bool TaskTable::SetEnded(const TaskKey& key, const TaskEnd& end) {
  MutexLock hold(mutex_);
  auto row = rows_.find(key);
  if (row == rows_.end() || row->second.status.state == TaskState::kEnded) return false;
  TaskStatus& status = row->second.status;
  status.state = TaskState::kEnded;
  status.detail.clear();
  status.end = end;
  Tell(status);
  return true;
}

}  // namespace yard::engine
