#include "sched/core/waiting.h"

#include <algorithm>

namespace yard::sched {
namespace {

std::size_t Mix(std::size_t seed, std::int64_t value) {
  const auto mixed = static_cast<std::size_t>(value) * 0x9E3779B97F4A7C15ULL;
  return (seed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9ULL + mixed;
}

Micros WholeMinutes(Micros span) {
  const std::int64_t minute = Minutes(1).value;
  return Micros((span.value + minute - 1) / minute * minute);
}

}  // namespace

std::size_t SpecHash::operator()(const Spec& spec) const {
  std::size_t hash = 17;
  for (const TaskGroup& group : spec.groups) {
    hash = Mix(hash, group.shape.value);
    hash = Mix(hash, (std::int64_t{group.count} << 32) + group.max_count);
  }
  for (PoolIndex pool : spec.pools) hash = Mix(hash, pool.value);
  hash = Mix(hash, static_cast<int>(spec.preemptibility) * 16 + static_cast<int>(spec.kind));
  hash = Mix(hash, spec.required_level * 64 + spec.preferred_level);
  return Mix(hash, spec.duration.value);
}

std::size_t Waiting::LineKeyHash::operator()(const LineKey& key) const {
  return Mix(Mix(Mix(17, key.queue.value), key.user.value), key.spec.value);
}

Micros DurationOf(const Workload& workload) {
  const Micros limit = workload.time_limit;
  const Micros learned = workload.expected_runtime;
  if (limit.value == 0 || (learned.value > 0 && learned < limit)) return learned;
  return limit;
}

Time ExpectedEnd(const Workload& running, Micros duration, Time now) {
  const bool learned = duration.value > 0 && duration == running.expected_runtime;
  while (learned && running.started + duration <= now) duration = duration * 2;
  if (running.time_limit.value > 0) duration = std::min(duration, running.time_limit);
  return std::max(running.started + duration, now + Seconds(1));
}

Spec SpecOf(const Workload& workload) {
  return {.groups = workload.groups,
          .pools = workload.pools,
          .preemptibility = workload.preemptibility,
          .kind = workload.kind,
          .required_level = workload.required_level,
          .preferred_level = workload.preferred_level,
          .duration = WholeMinutes(DurationOf(workload))};
}

std::vector<PoolIndex> PoolsOf(const Snapshot& snapshot, const Workload& workload) {
  if (!workload.pools.empty()) return workload.pools;
  for (QueueIndex at = workload.queue; at != kNone<QueueIndex>;) {
    const Queue& queue = snapshot.queues[static_cast<std::size_t>(at.value)];
    if (!queue.pool_order.empty()) return queue.pool_order;
    at = queue.parent;
  }
  std::vector<PoolIndex> all;
  all.reserve(snapshot.pools.size());
  for (std::size_t p = 0; p < snapshot.pools.size(); ++p) {
    all.push_back(PoolIndex(static_cast<std::int32_t>(p)));
  }
  return all;
}

SpecIndex Waiting::Intern(Spec spec) {
  if (const auto found = by_spec_.find(spec); found != by_spec_.end()) return found->second;
  if (free_specs_.empty()) {
    free_specs_.push_back(SpecIndex(static_cast<std::int32_t>(specs_.size())));
    specs_.emplace_back();
  }
  const SpecIndex index = free_specs_.back();
  free_specs_.pop_back();
  by_spec_.emplace(spec, index);
  specs_[static_cast<std::size_t>(index.value)].spec = std::move(spec);
  return index;
}

LineIndex Waiting::LineOf(const Workload& workload, OrderIndex lane) {
  const LineKey key{workload.queue, workload.user, Intern(SpecOf(workload))};
  if (const auto found = by_key_.find(key); found != by_key_.end()) return found->second;
  if (free_lines_.empty()) {
    free_lines_.push_back(LineIndex(static_cast<std::int32_t>(lines_.size())));
    lines_.emplace_back();
  }
  const LineIndex index = free_lines_.back();
  free_lines_.pop_back();
  by_key_.emplace(key, index);
  Line& line = At(index);
  line.queue = key.queue;
  line.user = key.user;
  line.spec = key.spec;
  line.lane = lane;
  line.pools.clear();
  line.costs.clear();
  specs_[static_cast<std::size_t>(key.spec.value)].lines.push_back(index);
  return index;
}

void Waiting::DropIfEmpty(LineIndex index) {
  const Line& line = At(index);
  if (!line.jobs.empty()) return;
  by_key_.erase({line.queue, line.user, line.spec});
  free_lines_.push_back(index);
  At(index).pools.clear();
  SpecSlot& slot = specs_[static_cast<std::size_t>(line.spec.value)];
  std::erase(slot.lines, index);
  if (!slot.lines.empty()) return;
  by_spec_.erase(slot.spec);
  free_specs_.push_back(line.spec);
}

}  // namespace yard::sched
