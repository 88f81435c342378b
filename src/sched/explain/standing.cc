#include "sched/explain/standing.h"

namespace yard::sched {
namespace {

QueueTerms TermsOf(Core& core, QueueIndex queue, PoolIndex pool) {
  const Resources& quota = core.RulesOf(queue, pool).quota;
  QueueTerms terms{.held = core.ledger().At(queue, pool).allocated.gpu,
                   .share = core.Shares(pool)[static_cast<std::size_t>(queue.value)].gpu};
  if (quota.gpu.value != kUnlimited) terms.quota = quota.gpu;
  return terms;
}

}  // namespace

Standing StandingOf(Core& core, WorkloadIndex index) {
  const Workload& workload = core.At(index);
  const Line& line = core.waiting().At(core.LineOf(index));
  const OrderNode& lane = core.order().At(line.lane);
  Standing standing{.fairness = lane.fairness, .priority = workload.priority};
  if (lane.fairness == Fairness::kNthGpu) standing.user_held = lane.held;
  if (line.pools.empty()) return standing;
  standing.pool = line.pools.front();
  standing.wants = line.costs.front().gpu;
  standing.project = TermsOf(core, workload.queue, standing.pool);
  const QueueIndex above =
      core.snapshot().queues[static_cast<std::size_t>(workload.queue.value)].parent;
  const bool department = above != kNone<QueueIndex> &&
                          core.snapshot().queues[static_cast<std::size_t>(above.value)].level ==
                              QueueLevel::kDepartment;
  if (department) standing.department = TermsOf(core, above, standing.pool);
  return standing;
}

}  // namespace yard::sched
