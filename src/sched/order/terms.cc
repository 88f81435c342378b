#include "sched/order/terms.h"

#include "sched/order/walk.h"

namespace yard::sched {
namespace {

// All that the queue counts as holding stands as `ahead`: the walk does not know what it held when
// it began.
QueueTerms TermsOf(const QueueClaim& claim, const QueueShare& rules) {
  QueueTerms terms{.queue = claim.queue,
                   .held = {},
                   .ahead = claim.allocated.gpu,
                   .share = claim.share.gpu,
                   .quota = {},
                   .priority = claim.priority};
  if (rules.quota.gpu.value != kUnlimited) terms.quota = rules.quota.gpu;
  return terms;
}

}  // namespace

OrderTerms Walk::TermsOfTop() const {
  const LineIndex line = *Top();
  OrderTerms terms{
      .fairness = {}, .pool = pool_, .wants = CostOfNext(line).gpu, .queues = {}, .nth_gpu = {}};
  // From the top down: each node has the child on its path in front.
  OrderIndex at = OrderTree::kRoot;
  while (core_.order().At(at).kind != OrderNode::Kind::kLane) {
    const OrderIndex child(At(at).front());
    if (core_.order().At(at).kind == OrderNode::Kind::kQueues) {
      const QueueClaim claim = ClaimOf(child);
      terms.queues.push_back(TermsOf(claim, core_.RulesOf(claim.queue, pool_)));
    } else if (core_.order().At(at).kind == OrderNode::Kind::kUsers) {
      terms.nth_gpu = MilliGpu(UserKeyOf(at, child).nth_milli);
    }
    at = child;
  }
  terms.fairness = core_.order().At(at).fairness;
  return terms;
}

}  // namespace yard::sched
