#include "sched/order/terms.h"

#include <fmt/format.h>

#include <algorithm>

#include "sched/order/walk.h"

namespace yard::sched {
namespace {

std::string YesNo(bool yes) {
  return yes ? "yes" : "no";
}

// Of its fair share; a queue without any has no such part.
std::string PartText(const Resources& has, const Resources& share) {
  const Saturation part = SaturationOf(has, share);
  const bool boundless = part.whole == 1 && part.part > 1'000'000'000'000;
  if (boundless) return "no share";
  return FormatMilli(static_cast<std::int64_t>(static_cast<Wide>(part.part) * 1000 / part.whole));
}

void AddQueueTerms(const QueueClaim& claim, const std::string& name, OrderTerms& terms) {
  terms.push_back({name + ".withinShare", YesNo(Within(claim.allocated, claim.share))});
  terms.push_back(
      {name + ".withinQuotaWithIt", YesNo(Within(claim.allocated + claim.next, claim.quota))});
  terms.push_back({name + ".priority", fmt::format("{}", claim.priority)});
  terms.push_back({name + ".shareGpu", FormatMilli(claim.share.gpu.value)});
  terms.push_back(
      {name + ".usedOfShareWithIt", PartText(claim.allocated + claim.next, claim.share)});
  terms.push_back({name + ".usedOfShare", PartText(claim.allocated, claim.share)});
}

}  // namespace

OrderTerms Walk::TermsOfTop() const {
  const LineIndex line = *Top();
  const Workload& workload = core_.At(JobOf(line).workload);
  std::vector<OrderIndex> path;
  for (OrderIndex at = core_.waiting().At(line).lane; at != kNone<OrderIndex>;) {
    path.push_back(at);
    at = core_.order().At(at).parent;
  }
  OrderTerms terms;
  for (std::size_t depth = path.size() - 1; depth > 0; --depth) {
    const OrderNode& node = core_.order().At(path[depth]);
    const OrderIndex child = path[depth - 1];
    if (node.kind == OrderNode::Kind::kQueues) {
      const QueueClaim claim = ClaimOf(child);
      const auto row = static_cast<std::size_t>(claim.queue.value);
      AddQueueTerms(claim, core_.snapshot().queues[row].name, terms);
    } else if (node.kind == OrderNode::Kind::kUsers) {
      const UserKey key = UserKeyOf(path[depth], child);
      terms.push_back({"user.nthGpu", FormatMilli(key.nth_milli)});
      terms.push_back({"user.priority", fmt::format("{}", -key.rank)});
    }
  }
  const Fairness fairness = core_.order().At(path.front()).fairness;
  if (fairness == Fairness::kFairShare || fairness == Fairness::kDecayedShare) {
    terms.push_back({"workload.priority", fmt::format("{}", workload.priority)});
  }
  terms.push_back({"workload.submitted", FormatRfc3339(workload.created)});
  return terms;
}

}  // namespace yard::sched
