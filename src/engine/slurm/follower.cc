#include "engine/slurm/follower.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/steady_clock.h"

namespace yard::engine::slurm {
namespace {

constexpr Micros kIntervalLeast = Seconds(1);
constexpr Micros kIntervalMost = Seconds(15);
constexpr std::int64_t kCostShare = 20;  // asking may take one part in so many of the time
constexpr Micros kKillSlack = Seconds(5);
// Slurm's word must hold twice: the shim's note may still be on its way through the file system.
constexpr int kRoundsOver = 2;
constexpr int kRoundsWaiting = 3;
constexpr std::size_t kAskMost = 5000;  // jobs in one command line

Time Now() {
  return SteadyClock().Now();
}

}  // namespace

Follower::Follower(Cluster& cluster, FollowerEvents events)
    : cluster_(cluster), events_(std::move(events)), thread_([this] { Run(); }) {}

Follower::~Follower() {
  {
    std::lock_guard hold(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Follower::Follow(const Task& task) {
  {
    std::lock_guard hold(mutex_);
    Followed& row = live_[task.key];
    row.job = task.job;
    row.evidence.stop = task.stop;
    row.evidence.started = task.started;
    fresh_ = true;
  }
  changed_.notify_all();
}

void Follower::Stopping(const TaskKey& key, const StopOptions& options) {
  {
    std::lock_guard hold(mutex_);
    auto row = live_.find(key);
    if (row == live_.end()) return;
    row->second.evidence.stop = options;
    row->second.kill_at = std::min(row->second.kill_at, Now() + options.grace + kKillSlack);
    fresh_ = true;
  }
  changed_.notify_all();
}

std::optional<JobId> Follower::JobOf(const TaskKey& key) const {
  std::lock_guard hold(mutex_);
  auto row = live_.find(key);
  return row == live_.end() ? std::nullopt : row->second.job;
}

void Follower::SetWatched(std::size_t watchers) {
  {
    std::lock_guard hold(mutex_);
    watchers_ = watchers;
  }
  changed_.notify_all();
}

bool Follower::IsQuiet() const {
  return live_.empty() && watchers_ == 0;
}

void Follower::Run() {
  std::unique_lock hold(mutex_);
  for (;;) {
    changed_.wait(hold, [this] { return stop_ || !IsQuiet(); });
    if (stop_) return;
    if (std::exchange(fresh_, false)) interval_ = kIntervalLeast;
    const Micros since = Now() - asked_at_;
    const bool due = since >= interval_ || (urgent_ && since >= kIntervalLeast);
    hold.unlock();
    Look();
    if (due) Ask();
    KillOverdue();
    events_.looked();
    hold.lock();
    const auto pause = std::chrono::microseconds(cluster_.site().look_interval().value);
    changed_.wait_for(hold, pause, [this] { return stop_; });
    if (stop_) return;
  }
}

void Follower::Look() {
  Result<Cluster::Records> records = cluster_.Look();
  if (!records) {
    log::Warning("a Slurm cluster did not answer", {{"why", records.error().message}});
    return;
  }
  for (const auto& [key, record] : *records) TakeRecord(key, record);
}

void Follower::TakeRecord(const TaskKey& key, const TaskRecord& record) {
  std::unique_lock hold(mutex_);
  auto row = live_.find(key);
  if (row == live_.end()) return;
  const bool starts = record.started_at && !row->second.evidence.started;
  row->second.evidence.started = row->second.evidence.started || starts;
  row->second.evidence.noted = record.end;
  const bool ends = record.end && !NeedsSlurmsWord(row->second.evidence);
  if (record.end && !ends) urgent_ = true;
  hold.unlock();
  if (starts) events_.started(key, *record.started_at);
  if (ends) Decide(key);
}

void Follower::Ask() {
  std::vector<JobId> ids;
  std::map<TaskKey, std::optional<JobId>> asked;
  {
    std::lock_guard hold(mutex_);
    urgent_ = false;
    for (const auto& [key, row] : live_) {
      asked[key] = row.job;
      if (row.job) ids.push_back(*row.job);
    }
  }
  asked_at_ = Now();
  std::map<JobId, Job> known;
  for (std::size_t from = 0; from < ids.size(); from += kAskMost) {
    const auto part = std::span(ids).subspan(from, std::min(kAskMost, ids.size() - from));
    Result<std::vector<Job>> jobs = cluster_.Jobs(part);
    if (!jobs) return;  // asked again; nothing is concluded from silence
    for (Job& job : *jobs) known[job.id] = std::move(job);
  }
  cost_ = Now() - asked_at_;
  std::vector<TaskKey> over;
  bool moved = false;
  for (const auto& [key, id] : asked) {
    auto job = id ? known.find(*id) : known.end();
    const bool is_known = job != known.end();
    moved = TakeJob(key, is_known ? std::optional(job->second) : std::nullopt) || moved;
    if (!is_known || job->second.phase == JobPhase::kEnded) over.push_back(key);
  }
  interval_ = moved ? kIntervalLeast : std::min(interval_ + interval_, kIntervalMost);
  interval_ = std::max(interval_, cost_ * kCostShare);
  if (!over.empty()) TakeLate(over);
}

// Whether the job has come along since it was last asked for.
bool Follower::TakeJob(const TaskKey& key, const std::optional<Job>& job) {
  std::unique_lock hold(mutex_);
  auto row = live_.find(key);
  if (row == live_.end()) return false;
  const std::optional<Job>& before = row->second.evidence.job;
  const bool moved = !before || !job || before->state != job->state;
  if (job) row->second.evidence.job = job;
  if (!job || job->phase == JobPhase::kEnded) {
    ++row->second.rounds_over;
    urgent_ = true;
  }
  const bool waits = job && job->phase == JobPhase::kPending;
  row->second.rounds_waiting = waits ? row->second.rounds_waiting + 1 : 0;
  const bool tell = waits && row->second.rounds_waiting == kRoundsWaiting;
  hold.unlock();
  if (tell) events_.waiting(key, fmt::format("queued in Slurm: {}", job->reason));
  return moved;
}

// Slurm says that they are over: what their shims noted counts, if they did.
void Follower::TakeLate(const std::vector<TaskKey>& over) {
  Result<Cluster::Records> records = cluster_.RecordsOf(over);
  if (!records) return;
  for (const auto& [key, record] : *records) TakeRecord(key, record);
  for (const TaskKey& key : over) {
    bool certain = false;
    {
      std::lock_guard hold(mutex_);
      auto row = live_.find(key);
      if (row == live_.end()) continue;
      certain = row->second.evidence.noted || row->second.rounds_over >= kRoundsOver;
    }
    if (certain) Decide(key);
  }
}

void Follower::Decide(const TaskKey& key) {
  Followed row;
  {
    std::lock_guard hold(mutex_);
    auto found = live_.find(key);
    if (found == live_.end()) return;
    row = found->second;
  }
  const bool forgotten = !row.evidence.job || row.evidence.job->phase != JobPhase::kEnded;
  if (!row.evidence.noted && forgotten && row.job) {
    const std::vector<Job> past = cluster_.PastJobs(std::span(&*row.job, 1));
    row.evidence.job = past.empty() ? std::nullopt : std::optional(past.front());
  }
  const TaskEnd end = DecideEnd(row.evidence, cluster_.options().clock->Now());
  // What the shim noted is enough only where nobody could know better.
  const bool as_noted = !NeedsSlurmsWord(row.evidence);
  if (!as_noted && !cluster_.NoteEnd(key, end)) return;  // tried again in the next round
  {
    std::lock_guard hold(mutex_);
    live_.erase(key);
  }
  events_.ended(key, end);
}

void Follower::KillOverdue() {
  std::vector<JobId> overdue;
  {
    std::lock_guard hold(mutex_);
    for (auto& [key, row] : live_) {
      if (!row.job || row.kill_at > Now()) continue;
      overdue.push_back(*row.job);
      row.kill_at = Now() + kKillSlack;
    }
  }
  for (const JobId& job : overdue)
    if (Status killed = cluster_.Kill(job); !killed)
      log::Warning("a job of Slurm could not be cancelled", {{"why", killed.error().message}});
}

}  // namespace yard::engine::slurm
