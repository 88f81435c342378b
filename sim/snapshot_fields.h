// The fields of Snapshot and Policy with their JSON names, once for reading and writing.
// Internal to snapshot_json. A visitor is called with each name and field in turn.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "sched/policy.h"
#include "sched/snapshot.h"
#include "sim/snapshot_json.h"

namespace yard::sim {

template <class E>
struct EnumNames;

#define YARD_NAMES(Enum, ...)                                                      \
  template <>                                                                      \
  struct EnumNames<sched::Enum> {                                                  \
    static constexpr auto kNames = std::to_array<std::string_view>({__VA_ARGS__}); \
  }
YARD_NAMES(Strategy, "binPack", "spread", "fragmentation");
YARD_NAMES(People, "firstCome", "byPerson");
YARD_NAMES(FirstGpu, "wait", "preempt");
YARD_NAMES(NodeState, "ready", "cordoned", "down");
YARD_NAMES(QueueLevel, "tenant", "department", "project", "user");
YARD_NAMES(Fairness, "fairShare", "nthGpu", "decayedShare", "fifo");
YARD_NAMES(Preemptibility, "preemptible", "nonPreemptible");
YARD_NAMES(WorkloadKind, "training", "interactive", "inference");
YARD_NAMES(WorkloadState, "gone", "held", "pending", "promised", "running");
YARD_NAMES(Preemption, "allowed", "never");
YARD_NAMES(Backfill, "off", "conservative", "heads");
YARD_NAMES(Growth, "inPlace", "byRestart");
YARD_NAMES(Mobility, "movable", "stays");
#undef YARD_NAMES

template <class V>
void Fields(V& visit, sched::Resources& x) {
  visit("gpu", x.gpu);
  visit("cpu", x.cpu);
  visit("memory", x.memory);
}
template <class V>
void Fields(V& visit, sched::Pool& x) {
  visit("name", x.name);
  visit("gpu_strategy", x.gpu_strategy);
  visit("cpu_strategy", x.cpu_strategy);
}
template <class V>
void Fields(V& visit, sched::GpuModel& x) {
  visit("name", x.name);
  visit("memory", x.memory);
}
template <class V>
void Fields(V& visit, sched::Gpu& x) {
  visit("usable", x.usable);
  visit("island", x.island);
  visit("numa", x.numa);
}
template <class V>
void Fields(V& visit, sched::Node& x) {
  visit("name", x.name);
  visit("pool", x.pool);
  visit("model", x.model);
  visit("state", x.state);
  visit("gpus", x.gpus);
  visit("cpu", x.cpu);
  visit("memory", x.memory);
  visit("extended", x.extended);
  visit("labels", x.labels);
  visit("taints", x.taints);
  visit("domains", x.domains);
}
template <class V>
void Fields(V& visit, sched::QueueShare& x) {
  visit("quota", x.quota);
  visit("limit", x.limit);
  visit("weight", x.weight);
  visit("priority", x.priority);
  visit("usage_millionths", x.usage_millionths);
}
template <class V>
void Fields(V& visit, sched::Queue& x) {
  visit("name", x.name);
  visit("parent", x.parent);
  visit("level", x.level);
  visit("created", x.created);
  visit("shares", x.shares);
  visit("pool_order", x.pool_order);
  visit("fairness", x.fairness);
  visit("reclaim_min_runtime", x.reclaim_min_runtime);
  visit("preempt_min_runtime", x.preempt_min_runtime);
  visit("max_interactive", x.max_interactive);
}
template <class V>
void Fields(V& visit, sched::User& x) {
  visit("name", x.name);
  visit("max_gpu_milli", x.max_gpu_milli);
  visit("max_interactive", x.max_interactive);
}
template <class V>
void Fields(V& visit, sched::ExtendedAmount& x) {
  visit("resource", x.resource);
  visit("amount", x.amount);
}
template <class V>
void Fields(V& visit, sched::TaskShape& x) {
  visit("gpu_count", x.gpu_count);
  visit("gpu_each", x.gpu_each);
  visit("gpu_memory_each", x.gpu_memory_each);
  visit("cpu", x.cpu);
  visit("memory", x.memory);
  visit("extended", x.extended);
  visit("models", x.models);
  visit("labels", x.labels);
  visit("tolerations", x.tolerations);
}
template <class V>
void Fields(V& visit, sched::TaskGroup& x) {
  visit("shape", x.shape);
  visit("count", x.count);
  visit("max_count", x.max_count);
}
template <class V>
void Fields(V& visit, sched::TaskPlacement& x) {
  visit("group", x.group);
  visit("node", x.node);
  visit("gpus", x.gpus);
  visit("each", x.each);
}
template <class V>
void Fields(V& visit, sched::HeldStart& x) {
  visit("at", x.at);
  visit("tasks", x.tasks);
}
template <class V>
void Fields(V& visit, sched::PersonUse& x) {
  visit("queue", x.queue);
  visit("user", x.user);
  visit("usage_millionths", x.usage_millionths);
}
template <class V>
void Fields(V& visit, sched::Workload& x) {
  visit("id", x.id);
  visit("name", x.name);
  visit("queue", x.queue);
  visit("user", x.user);
  visit("state", x.state);
  visit("kind", x.kind);
  visit("preemptibility", x.preemptibility);
  visit("mobility", x.mobility);
  visit("priority", x.priority);
  visit("user_priority", x.user_priority);
  visit("groups", x.groups);
  visit("pools", x.pools);
  visit("required_level", x.required_level);
  visit("preferred_level", x.preferred_level);
  visit("created", x.created);
  visit("time_limit", x.time_limit);
  visit("expected_runtime", x.expected_runtime);
  visit("shortest_runtime", x.shortest_runtime);
  visit("longest_runtime", x.longest_runtime);
  visit("started", x.started);
  visit("tasks", x.tasks);
  sched::Rare rare = *x.rare;
  visit("head", rare.head);
  visit("leaving_for", rare.leaving_for);
  visit("spared_until", rare.spared_until);
  visit("stale_since", rare.stale_since);
  visit("idle_since", rare.idle_since);
  visit("idle_limit", rare.idle_limit);
  if (rare != *x.rare) x.rare.Edit() = std::move(rare);
}
template <class V>
void Fields(V& visit, sched::Reservation& x) {
  visit("name", x.name);
  visit("queue", x.queue);
  visit("pool", x.pool);
  visit("gpu", x.gpu);
  visit("start", x.start);
  visit("end", x.end);
  visit("release_after", x.release_after);
  visit("unused_since", x.unused_since);
}
template <class V>
void Fields(V& visit, sched::Snapshot& x) {
  visit("now", x.now);
  visit("pools", x.pools);
  visit("models", x.models);
  visit("labels", x.labels);
  visit("extended", x.extended);
  visit("domains", x.domains);
  visit("levels", x.levels);
  visit("nodes", x.nodes);
  visit("queues", x.queues);
  visit("users", x.users);
  visit("past_use", x.past_use);
  visit("shapes", x.shapes);
  visit("workloads", x.workloads);
  visit("reservations", x.reservations);
}
template <class V>
void Fields(V& visit, sched::Policy& x) {
  visit("fairness", x.fairness);
  visit("preemption", x.preemption);
  visit("people", x.people);
  visit("first_gpu", x.first_gpu);
  visit("backfill", x.backfill);
  visit("backfill_depth", x.backfill_depth);
  visit("max_moves", x.max_moves);
  visit("growth", x.growth);
  visit("grow_min_runtime", x.grow_min_runtime);
  visit("decay_k_milli", x.decay_k_milli);
  visit("saturation_milli", x.saturation_milli);
  visit("reclaim_min_runtime", x.reclaim_min_runtime);
  visit("preempt_min_runtime", x.preempt_min_runtime);
  visit("most_evictions_per_hour", x.most_evictions_per_hour);
  visit("stale_gang_after", x.stale_gang_after);
}
template <class V>
void Fields(V& visit, Capture& x) {
  visit("policy", x.policy);
  visit("snapshot", x.snapshot);
}

}  // namespace yard::sim
