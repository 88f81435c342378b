#include "engine/sim/pretended_use.h"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace yard::engine {
namespace {

constexpr std::int64_t kWhole = 1000;
constexpr Micros kSwing = Minutes(10);
constexpr Micros kLoading = Minutes(2);  // until its memory is full

// A number of the task's own, below `end`; each `which` gives another one.
std::int64_t OwnNumber(const TaskKey& key, std::uint64_t which, std::int64_t end) {
  std::uint64_t mixed = std::hash<Uuid>{}(key.attempt.value);
  mixed += which * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(key.rank);
  mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9ULL;
  return static_cast<std::int64_t>((mixed >> 20) % static_cast<std::uint64_t>(end));
}

// In thousandths, from 0 up to 1000 and back.
std::int64_t Wave(const TaskKey& key, Time now) {
  const std::int64_t at = (now.micros + OwnNumber(key, 1, kSwing.value)) % kSwing.value;
  const std::int64_t half = kSwing.value / 2;
  return std::min(at, kSwing.value - at) * kWhole / half;
}

// Of the GPU's time, in percent. An idle one is not quite still, so that no rule stops it.
std::int32_t BusyPercent(const TaskKey& key, Time now) {
  constexpr std::int64_t kOneInSoManyIsIdle = 7;
  if (OwnNumber(key, 2, kOneInSoManyIsIdle) == 0) return 1;
  const std::int64_t level = 62 + OwnNumber(key, 3, 30);
  return static_cast<std::int32_t>(level + Wave(key, now) * 8 / kWhole);
}

// A part is as busy as its task, the device by so much less.
std::int32_t OfDevice(std::int32_t percent, const GpuGrant& grant) {
  return static_cast<std::int32_t>(percent * grant.part.value / kWhole);
}

// How much of what it may have it has filled, in thousandths.
std::int64_t Filled(const TaskKey& key, std::uint64_t which, Micros age) {
  const std::int64_t most = 350 + OwnNumber(key, which, 550);
  return most * std::min(age.value, kLoading.value) / kLoading.value;
}

}  // namespace

TaskUsage PretendedUse(const TaskSpec& spec, Time started, Time now) {
  const TaskKey& key = spec.key;
  const Micros age = std::max(now - started, Micros(0));
  const auto gpus = static_cast<std::int64_t>(spec.gpus.size());
  TaskUsage use;
  use.key = key;
  const std::int64_t milli_cores = kWhole * std::max<std::int64_t>(1, 3 * gpus);
  use.cpu = Micros(age.value / kWhole * milli_cores * (400 + OwnNumber(key, 4, 500)) / kWhole);
  const std::int64_t memory = spec.limits.memory.value > 0
                                  ? spec.limits.memory.value
                                  : 16 * 1024 * std::max<std::int64_t>(1, gpus);
  use.memory = Mebibytes(memory * Filled(key, 5, age) / kWhole);
  use.memory_peak = use.memory;
  use.read_bytes = age.value / 1000 * (1000 + OwnNumber(key, 6, 40'000));
  use.write_bytes = use.read_bytes / 20;
  use.processes = 2 + gpus;
  if (gpus > 0) use.gpu_percent = std::max(1, OfDevice(BusyPercent(key, now), spec.gpus[0]));
  return use;
}

void AddPretendedUse(const TaskSpec& spec, Time started, Time now, NodeState& node) {
  const Micros age = std::max(now - started, Micros(0));
  for (const GpuGrant& grant : spec.gpus) {
    auto gpu = std::ranges::find(node.gpus, grant.uuid, &GpuState::uuid);
    if (gpu == node.gpus.end()) continue;
    if (gpu->declared) continue;
    const std::int32_t busy = OfDevice(BusyPercent(spec.key, now), grant);
    gpu->busy_percent = std::min(100, gpu->busy_percent.value_or(0) + busy);
    const std::int64_t part = gpu->memory.value * grant.part.value / kWhole;
    gpu->used =
        gpu->used.value_or(Mebibytes(0)) + Mebibytes(part * Filled(spec.key, 7, age) / kWhole);
  }
}

}  // namespace yard::engine
