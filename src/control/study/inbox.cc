#include "control/study/inbox.h"

#include <algorithm>
#include <chrono>

namespace yard::control {
namespace {

constexpr std::size_t kMostWaiting = 20'000;

Ptr<Workload> WorkloadIn(const std::optional<Object>& object) {
  const auto* workload = object ? std::get_if<Ptr<Workload>>(&*object) : nullptr;
  return workload == nullptr ? nullptr : *workload;
}

}  // namespace

void StudyInbox::OnNotice(const Notice& notice) {
  Ptr<Workload> after = WorkloadIn(notice.change.after);
  Ptr<Workload> workload = after ? after : WorkloadIn(notice.change.before);
  if (!workload || (after && !HasEnded(after->life) && !after->deleted_at)) return;
  std::lock_guard lock(mutex_);
  auto found = trials_.find(workload->id);
  if (found == trials_.end()) return;
  mail_.ended.push_back({found->second.first, found->second.second, std::move(workload)});
  changed_.notify_one();
}

void StudyInbox::Put(SubmitAnswer answer) {
  std::lock_guard lock(mutex_);
  mail_.answers.push_back(std::move(answer));
  changed_.notify_one();
}

bool StudyInbox::Put(StudyRequest& request) {
  std::lock_guard lock(mutex_);
  if (closed_ || mail_.requests.size() >= kMostWaiting) return false;
  mail_.requests.push_back(std::move(request));
  changed_.notify_one();
  return true;
}

void StudyInbox::Watch(WorkloadId workload, StudyId study, std::size_t trial) {
  std::lock_guard lock(mutex_);
  trials_[workload] = {study, trial};
}

void StudyInbox::Unwatch(WorkloadId workload) {
  std::lock_guard lock(mutex_);
  trials_.erase(workload);
}

StudyMail StudyInbox::Wait(const std::stop_token& stop, Micros longest) {
  std::unique_lock lock(mutex_);
  const std::chrono::microseconds pause(std::max<std::int64_t>(longest.value, 0));
  changed_.wait_for(lock, stop, pause, [&] { return !mail_.empty(); });
  return std::exchange(mail_, {});
}

void StudyInbox::Close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
}

}  // namespace yard::control
