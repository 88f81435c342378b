#include "sim/invariants.h"

#include <algorithm>

#include <fmt/format.h>

#include "sched/core/core.h"
#include "sched/filter/admit.h"
#include "sched/place/find.h"
#include "sched/validate.h"

namespace yard::sim {
namespace {

using sched::Workload;
using sched::WorkloadState;

std::unexpected<Error> Broken(std::string message) {
  return Fail(Code::kInternal, std::move(message));
}

Status GangsAreWhole(const sched::Snapshot& snapshot) {
  for (const Workload& workload : snapshot.workloads) {
    if (workload.state != WorkloadState::kRunning) continue;
    for (std::size_t g = 0; g < workload.groups.size(); ++g) {
      const auto group = static_cast<std::int32_t>(g);
      if (std::ranges::count(workload.tasks, group, &sched::TaskPlacement::group) <
          workload.groups[g].count) {
        return Broken(fmt::format("{} runs without all of its tasks", workload.name));
      }
    }
  }
  return {};
}

Status RunsOnNodesInService(const sched::Snapshot& snapshot) {
  for (const Workload& workload : snapshot.workloads) {
    for (const sched::TaskPlacement& task : workload.tasks) {
      const sched::Node& node = snapshot.nodes[static_cast<std::size_t>(task.node.value)];
      if (node.state == sched::NodeState::kDown) {
        return Broken(fmt::format("{} runs on {}, which is down", workload.name, node.name));
      }
    }
  }
  return {};
}

Status NobodyIsWronglyDisturbed(const Step& step) {
  const bool never = step.policy.preemption == sched::Preemption::kNever;
  const auto check = [&](sched::WorkloadIndex index) -> Status {
    const Workload& victim = step.before.workloads[static_cast<std::size_t>(index.value)];
    if (never) return Broken(fmt::format("{} is disturbed in no-preemption mode", victim.name));
    if (victim.preemptibility == sched::Preemptibility::kPreemptible) return {};
    return Broken(fmt::format("{} is disturbed and is non-preemptible", victim.name));
  };
  for (const sched::Eviction& eviction : step.plan.evictions) YARD_TRY(check(eviction.victim));
  for (const sched::Move& move : step.plan.moves) YARD_TRY(check(move.workload));
  return {};
}

Status QueuesKeepTheirBounds(const sched::Core& core) {
  const sched::Snapshot& snapshot = core.snapshot();
  for (std::size_t q = 0; q < snapshot.queues.size(); ++q) {
    for (std::size_t p = 0; p < snapshot.pools.size(); ++p) {
      const sched::QueueIndex queue(static_cast<std::int32_t>(q));
      const sched::PoolIndex pool(static_cast<std::int32_t>(p));
      const sched::QueueShare& rules = core.RulesOf(queue, pool);
      const sched::QueueBalance& has = core.ledger().At(queue, pool);
      const std::string& name = snapshot.queues[q].name;
      if (!Within(has.fixed, rules.quota)) {
        return Broken(fmt::format("{}: non-preemptible work is over the quota", name));
      }
      if (!Within(has.allocated, rules.limit)) return Broken(name + " is over its limit");
    }
  }
  return {};
}

Status NoJobIsLost(const Step& step) {
  const std::int64_t there = std::ranges::count_if(
      step.after.workloads,
      [](const Workload& workload) { return workload.state != WorkloadState::kGone; });
  if (there + step.ended == step.arrived) return {};
  return Broken(fmt::format("{} jobs arrived, but {} are there and {} have ended", step.arrived,
                            there, step.ended));
}

Status NobodyWaitsInVain(const sched::Core& core) {
  const sched::Snapshot& snapshot = core.snapshot();
  if (!snapshot.reservations.empty()) return {};  // free GPUs may be kept for somebody
  for (const Workload& workload : snapshot.workloads) {
    if (workload.state != WorkloadState::kPending || workload.groups[0].count > 1) continue;
    for (sched::PoolIndex pool : sched::PoolsOf(snapshot, workload)) {
      const auto cost = sched::CostIn(snapshot, core.nodes(), workload.groups, pool);
      if (Refuses(core, sched::BookingOf(workload, pool, cost))) continue;
      const sched::Found place =
          FindPlaceByScan(snapshot, core.nodes(), workload.groups[0].shape, pool, {});
      if (place.at) return Broken(fmt::format("{} waits although it could start", workload.name));
    }
  }
  return {};
}

bool AtRest(const sched::Plan& plan) {
  return plan.starts.empty() && plan.evictions.empty() && plan.moves.empty();
}

}  // namespace

Status CheckInvariants(const Step& step) {
  YARD_TRY(sched::Validate(step.after));
  YARD_TRY(GangsAreWhole(step.after));
  YARD_TRY(RunsOnNodesInService(step.after));
  YARD_TRY(NobodyIsWronglyDisturbed(step));
  YARD_TRY(NoJobIsLost(step));
  const sched::Core core(step.after, step.policy);
  YARD_TRY(QueuesKeepTheirBounds(core));
  if (!AtRest(step.plan) || step.policy.backfill != sched::Backfill::kOff) return {};
  return NobodyWaitsInVain(core);
}

}  // namespace yard::sim
