#include "sim/usage.h"

#include <bit>
#include <cmath>
#include <numeric>

namespace yard::sim {

DecayedUsage::DecayedUsage(const sched::Snapshot& cluster, Micros half_life)
    : pools_(cluster.pools.size()),
      half_life_(half_life),
      capacity_(pools_),
      usage_(cluster.queues.size() * pools_) {
  for (const sched::Node& node : cluster.nodes) {
    capacity_[static_cast<std::size_t>(node.pool.value)] +=
        1000.0 * static_cast<double>(node.gpus.size());
  }
}

void DecayedUsage::Pass(const sched::Snapshot& snapshot, Micros span) {
  if (span.value <= 0) return;
  std::vector<double> held(usage_.size());
  std::map<std::pair<sched::QueueIndex, sched::UserIndex>, double> by_person;
  for (const sched::Workload& workload : snapshot.workloads) {
    if (workload.state != sched::WorkloadState::kRunning) continue;
    for (const sched::TaskPlacement& task : workload.tasks) {
      const sched::Node& node = snapshot.nodes[static_cast<std::size_t>(task.node.value)];
      const auto pool = static_cast<std::size_t>(node.pool.value);
      const double milli = static_cast<double>(std::popcount(task.gpus) * task.each.value);
      by_person[{workload.queue, workload.user}] += milli;
      for (auto queue = workload.queue; queue != sched::kNone<sched::QueueIndex>;
           queue = snapshot.queues[static_cast<std::size_t>(queue.value)].parent) {
        held[static_cast<std::size_t>(queue.value) * pools_ + pool] += milli;
      }
    }
  }
  const double keep =
      std::exp2(-static_cast<double>(span.value) / static_cast<double>(half_life_.value));
  const double all = std::accumulate(capacity_.begin(), capacity_.end(), 0.0);
  for (auto& [person, usage] : people_) usage *= keep;
  for (const auto& [person, milli] : by_person) {
    if (all > 0) people_[person] += milli / all * (1 - keep);
  }
  for (std::size_t at = 0; at < usage_.size(); ++at) {
    const double capacity = capacity_[at % pools_];
    const double share = capacity > 0 ? held[at] / capacity : 0;
    usage_[at] = usage_[at] * keep + share * (1 - keep);
  }
}

void DecayedUsage::WriteTo(sched::Snapshot& snapshot) const {
  for (std::size_t queue = 0; queue < snapshot.queues.size(); ++queue) {
    for (std::size_t pool = 0; pool < pools_; ++pool) {
      snapshot.queues[queue].shares[pool].usage_millionths =
          std::llround(usage_[queue * pools_ + pool] * 1e6);
    }
  }
  snapshot.past_use.clear();
  for (const auto& [person, usage] : people_) {
    snapshot.past_use.push_back({person.first, person.second, std::llround(usage * 1e6)});
  }
}

}  // namespace yard::sim
