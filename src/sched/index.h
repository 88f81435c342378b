// Dense indices into the tables of a Snapshot. An index is a position, valid for one snapshot (or
// one Scheduler); an id (WorkloadId) is an identity that outlives both.
#pragma once

#include <cstdint>

#include "base/strong.h"

namespace yard::sched {

using PoolIndex = StrongId<struct PoolIndexTag, std::int32_t>;
using ModelIndex = StrongId<struct ModelIndexTag, std::int32_t>;  // a GPU model
using NodeIndex = StrongId<struct NodeIndexTag, std::int32_t>;
using QueueIndex = StrongId<struct QueueIndexTag, std::int32_t>;
using UserIndex = StrongId<struct UserIndexTag, std::int32_t>;
using LabelIndex = StrongId<struct LabelIndexTag, std::int32_t>;        // one key=value
using ExtendedIndex = StrongId<struct ExtendedIndexTag, std::int32_t>;  // one extended resource
using DomainIndex = StrongId<struct DomainIndexTag, std::int32_t>;      // one topology domain
using ShapeIndex = StrongId<struct ShapeIndexTag, std::int32_t>;
using WorkloadIndex = StrongId<struct WorkloadIndexTag, std::int32_t>;
using ReservationIndex = StrongId<struct ReservationIndexTag, std::int32_t>;
using WorkloadId = StrongId<struct WorkloadIdTag, std::int64_t>;  // creation order; breaks ties

// "None" for an index that may be absent (a root queue's parent, a node without GPUs).
template <class Index>
inline constexpr Index kNone{-1};

}  // namespace yard::sched
