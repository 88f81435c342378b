// Who has how much: running and waiting amounts per queue and pool, per user, up the tree.
//
// Invariant: what a queue has includes what all queues below it have.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sched/snapshot.h"

namespace yard::sched {

// One amount to book: whose, where, how much.
struct Booking {
  QueueIndex queue;
  UserIndex user = kNone<UserIndex>;
  PoolIndex pool;
  Resources cost;
  Preemptibility preemptibility = Preemptibility::kPreemptible;
  std::int32_t interactive = 0;  // running interactive workloads
};

struct QueueBalance {
  Resources allocated;
  Resources fixed;      // of it: non-preemptible
  Resources leaving;    // besides: evicted, but not stopped yet
  Resources requested;  // waiting
};

class Ledger {
 public:
  explicit Ledger(const Snapshot& snapshot);

  void Allocate(const Booking& booking, int sign);
  // What an evicted workload still holds: it counts against limits and caps, for no share.
  void Linger(const Booking& booking, int sign);
  void Request(QueueIndex queue, PoolIndex pool, const Resources& cost, int sign);

  const QueueBalance& At(QueueIndex queue, PoolIndex pool) const {
    return balances_[Pos(queue, pool)];
  }
  // The queue, its parent, ... up to the root.
  std::span<const QueueIndex> Path(QueueIndex queue) const {
    return paths_[static_cast<std::size_t>(queue.value)];
  }
  // Of everybody.
  MilliGpu PoolGpu(PoolIndex pool) const { return pool_gpu_[static_cast<std::size_t>(pool.value)]; }
  MilliGpu UserGpu(UserIndex user) const;
  std::int64_t UserInteractive(UserIndex user) const;
  std::int64_t QueueInteractive(QueueIndex queue) const {
    return queue_interactive_[static_cast<std::size_t>(queue.value)];
  }

 private:
  std::size_t Pos(QueueIndex queue, PoolIndex pool) const {
    return static_cast<std::size_t>(queue.value) * pool_count_ +
           static_cast<std::size_t>(pool.value);
  }

  void AllocateForUser(const Booking& booking, int sign);

  std::size_t pool_count_;
  std::vector<QueueBalance> balances_;
  std::vector<std::vector<QueueIndex>> paths_;
  std::vector<std::int64_t> queue_interactive_;
  std::vector<MilliGpu> pool_gpu_;
  std::vector<MilliGpu> user_gpu_;
  std::vector<std::int64_t> user_interactive_;
};

// What `count` tasks of a shape cost in a pool. Fractions asked for by memory are priced on the
// smallest GPU of the pool, so that a promise never costs more than the price.
Resources CostOf(const TaskShape& shape, std::int64_t count, Mebibytes smallest_gpu);

// What running tasks cost: the GPU parts they really hold.
Resources CostOf(const Snapshot& snapshot, const Workload& workload,
                 std::span<const TaskPlacement> tasks);

}  // namespace yard::sched
