#include "control/sched/past_usage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/strings.h"

namespace yard::control {
namespace {

std::size_t Row(auto index) {
  return static_cast<std::size_t>(index.value);
}

std::int64_t MilliOf(const Attempt& attempt) {
  std::int64_t milli = 0;
  for (const TaskPlace& place : attempt.places) milli += std::ssize(place.gpus) * place.each.value;
  return milli;
}

// Adds to a queue and all above it.
class Sums {
 public:
  explicit Sums(const sched::Snapshot& snapshot)
      : snapshot_(snapshot),
        pools_(snapshot.pools.size()),
        sums_(snapshot.queues.size() * pools_),
        capacity_(pools_) {
    for (const sched::Node& node : snapshot.nodes) {
      capacity_[Row(node.pool)] += 1000.0 * static_cast<double>(node.gpus.size());
    }
  }

  void Add(sched::QueueIndex queue, std::size_t pool, double amount) {
    for (; queue != sched::kNone<sched::QueueIndex>; queue = snapshot_.queues[Row(queue)].parent) {
      sums_[Row(queue) * pools_ + pool] += amount;
    }
  }

  // Of all the pool could have given in `whole`.
  std::int64_t Millionths(std::size_t queue, std::size_t pool, double whole) const {
    if (capacity_[pool] <= 0) return 0;
    return std::llround(sums_[queue * pools_ + pool] / (capacity_[pool] * whole) * 1e6);
  }

 private:
  const sched::Snapshot& snapshot_;
  std::size_t pools_;
  std::vector<double> sums_;      // [queue x pool]
  std::vector<double> capacity_;  // by pool
};

}  // namespace

double PastUsage::Fade(Micros span) const {
  return std::exp2(-static_cast<double>(span.value) / static_cast<double>(half_life_.value));
}

double PastUsage::Left(Time begin, Time end, Time now) const {
  double whole = static_cast<double>(half_life_.value) / std::numbers::ln2;
  return whole * (Fade(now - end) - Fade(now - begin));
}

void PastUsage::Add(const State& state, const Attempt& attempt) {
  if (Ptr<Workload> workload = state.Find<Workload>(attempt.workload)) Add(*workload, attempt);
}

void PastUsage::Add(const Workload& workload, const Attempt& attempt) {
  if (!attempt.end || !attempt.started_at || MilliOf(attempt) == 0) return;
  if (!added_.insert(attempt.id).second) return;
  Count(used_[{workload.project, attempt.pool}], attempt);
  Count(people_[{workload.project, Lower(workload.stamp.created_by)}], attempt);
}

void PastUsage::Count(Faded& faded, const Attempt& attempt) const {
  Time at = std::max(faded.at, attempt.end->at);
  double before = faded.milli_micros * (faded.milli_micros > 0 ? Fade(at - faded.at) : 0);
  double held = Left(*attempt.started_at, std::max(*attempt.started_at, attempt.end->at), at);
  for (const Absence& one : AbsencesUntil(attempt, at)) held -= Left(one.from, one.to, at);
  faded = {before + static_cast<double>(MilliOf(attempt)) * held, at};
}

void PastUsage::AddAll(const State& state) {
  for (const ArchivedWorkload& past : state.archive().Newest(kArchived)) {
    for (const Ptr<Attempt>& attempt : past.attempts) Add(*past.workload, *attempt);
  }
  state.Of<Attempt>().Each([&](const Attempt& attempt) { Add(state, attempt); });
}

// As a share of all GPUs of the cluster, whatever the pool.
void PastUsage::WritePeople(SchedTables& tables) const {
  sched::Snapshot& snapshot = tables.snapshot;
  std::map<std::pair<sched::QueueIndex, sched::UserIndex>, double> sums;
  for (const auto& [key, faded] : people_) {
    auto queue = tables.projects.find(key.first);
    auto user = tables.users.find(key.second);
    if (queue == tables.projects.end() || user == tables.users.end()) continue;
    Micros since = std::max(snapshot.now - faded.at, Micros(0));
    sums[{queue->second, user->second}] += faded.milli_micros * Fade(since);
  }
  for (const sched::Workload& workload : snapshot.workloads) {
    if (workload.state != sched::WorkloadState::kRunning) continue;
    double each = Left(std::min(workload.started, snapshot.now), snapshot.now, snapshot.now);
    for (const sched::TaskPlacement& task : workload.tasks) {
      auto milli = static_cast<double>(std::popcount(task.gpus) * task.each.value);
      sums[{workload.queue, workload.user}] += milli * each;
    }
  }
  double whole = static_cast<double>(half_life_.value) / std::numbers::ln2;
  double gpus = 0;
  for (const sched::Node& node : snapshot.nodes) gpus += static_cast<double>(node.gpus.size());
  snapshot.past_use.clear();
  for (const auto& [key, sum] : sums) {
    if (gpus == 0) break;
    snapshot.past_use.push_back(
        {key.first, key.second, std::llround(sum / (1000 * gpus * whole) * 1e6)});
  }
}

void PastUsage::WriteTo(SchedTables& tables) const {
  WritePeople(tables);
  sched::Snapshot& snapshot = tables.snapshot;
  Sums sums(snapshot);
  for (const auto& [key, faded] : used_) {
    auto queue = tables.projects.find(key.first);
    auto pool = std::ranges::find(tables.pool_ids, key.second);
    if (queue == tables.projects.end() || pool == tables.pool_ids.end()) continue;
    Micros since = std::max(snapshot.now - faded.at, Micros(0));
    sums.Add(queue->second, static_cast<std::size_t>(pool - tables.pool_ids.begin()),
             faded.milli_micros * Fade(since));
  }
  for (const sched::Workload& workload : snapshot.workloads) {
    if (workload.state != sched::WorkloadState::kRunning) continue;
    double each = Left(std::min(workload.started, snapshot.now), snapshot.now, snapshot.now);
    for (const sched::TaskPlacement& task : workload.tasks) {
      auto milli = static_cast<double>(std::popcount(task.gpus) * task.each.value);
      sums.Add(workload.queue, Row(snapshot.nodes[Row(task.node)].pool), milli * each);
    }
  }
  double whole = static_cast<double>(half_life_.value) / std::numbers::ln2;
  for (std::size_t queue = 0; queue < snapshot.queues.size(); ++queue) {
    std::vector<sched::QueueShare>& shares = snapshot.queues[queue].shares;
    for (std::size_t pool = 0; pool < shares.size(); ++pool) {
      shares[pool].usage_millionths = sums.Millionths(queue, pool, whole);
    }
  }
}

}  // namespace yard::control
