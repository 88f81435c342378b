// Which GPUs of a chosen node a task takes.
//
// Whole GPUs stay close: first all in one island of fast links on one NUMA node, then one island,
// then one NUMA node, and among such groups the one with the least to spare. Parts go to the
// fullest GPUs that hold them (bin-pack) or the emptiest (spread). Ties by GPU number.
#pragma once

#include <cstdint>
#include <span>

#include "sched/snapshot.h"

namespace yard::sched {

// `free` and `gpus` describe the same devices. 0 if fewer than `count` have `each` free.
std::uint64_t ChooseGpus(std::span<const std::int16_t> free, std::span<const Gpu> gpus,
                         std::int32_t count, std::int16_t each, Strategy strategy);

// 0: one island and NUMA node; 1: one island; 2: one NUMA node; 3: apart.
int Distance(std::span<const Gpu> gpus, std::uint64_t mask);

}  // namespace yard::sched
