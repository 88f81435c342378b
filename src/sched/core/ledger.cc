#include "sched/core/ledger.h"

#include <bit>

#include "sched/core/node_table.h"
#include "sched/filter/suit.h"

namespace yard::sched {

Ledger::Ledger(const Snapshot& snapshot)
    : pool_count_(snapshot.pools.size()),
      balances_(snapshot.queues.size() * snapshot.pools.size()),
      paths_(snapshot.queues.size()),
      queue_interactive_(snapshot.queues.size()),
      pool_gpu_(snapshot.pools.size()),
      user_gpu_(snapshot.users.size()),
      user_interactive_(snapshot.users.size()) {
  for (std::size_t q = 0; q < snapshot.queues.size(); ++q) {
    auto at = QueueIndex(static_cast<std::int32_t>(q));
    while (at != kNone<QueueIndex>) {
      paths_[q].push_back(at);
      at = snapshot.queues[static_cast<std::size_t>(at.value)].parent;
    }
  }
}

void Ledger::Allocate(const Booking& booking, int sign) {
  const Resources change = booking.cost * sign;
  pool_gpu_[static_cast<std::size_t>(booking.pool.value)] += change.gpu;
  for (QueueIndex queue : Path(booking.queue)) {
    QueueBalance& balance = balances_[Pos(queue, booking.pool)];
    balance.allocated += change;
    if (booking.preemptibility == Preemptibility::kNonPreemptible) balance.fixed += change;
    queue_interactive_[static_cast<std::size_t>(queue.value)] += sign * booking.interactive;
  }
  AllocateForUser(booking, sign);
}

void Ledger::Linger(const Booking& booking, int sign) {
  for (QueueIndex queue : Path(booking.queue)) {
    balances_[Pos(queue, booking.pool)].leaving += booking.cost * sign;
    queue_interactive_[static_cast<std::size_t>(queue.value)] += sign * booking.interactive;
  }
  AllocateForUser(booking, sign);
}

void Ledger::AllocateForUser(const Booking& booking, int sign) {
  if (booking.user == kNone<UserIndex>) return;
  const auto user = static_cast<std::size_t>(booking.user.value);
  user_gpu_[user] += booking.cost.gpu * sign;
  user_interactive_[user] += sign * booking.interactive;
}

void Ledger::Request(QueueIndex leaf, PoolIndex pool, const Resources& cost, int sign) {
  for (QueueIndex queue : Path(leaf)) balances_[Pos(queue, pool)].requested += cost * sign;
}

MilliGpu Ledger::UserGpu(UserIndex user) const {
  if (user == kNone<UserIndex>) return MilliGpu(0);
  return user_gpu_[static_cast<std::size_t>(user.value)];
}

std::int64_t Ledger::UserInteractive(UserIndex user) const {
  if (user == kNone<UserIndex>) return 0;
  return user_interactive_[static_cast<std::size_t>(user.value)];
}

Resources CostOf(const TaskShape& shape, std::int64_t count, Mebibytes smallest_gpu) {
  std::int64_t each = shape.gpu_each.value;
  if (shape.gpu_memory_each.value > 0) {
    each = std::min<std::int64_t>(PortionOf(shape.gpu_memory_each, smallest_gpu), kWholeGpu);
  }
  return {MilliGpu(each * shape.gpu_count * count), shape.cpu * count, shape.memory * count};
}

Resources CostOf(const Snapshot& snapshot, const Workload& workload,
                 std::span<const TaskPlacement> tasks) {
  Resources sum;
  for (const TaskPlacement& task : tasks) {
    const TaskGroup& group = workload.groups[static_cast<std::size_t>(task.group)];
    const TaskShape& shape = snapshot.shapes[static_cast<std::size_t>(group.shape.value)];
    sum += {task.each * std::popcount(task.gpus), shape.cpu, shape.memory};
  }
  return sum;
}

}  // namespace yard::sched
