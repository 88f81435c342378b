#include "sched/explain/explain.h"

#include <algorithm>
#include <optional>

#include "sched/allocate.h"
#include "sched/decide.h"
#include "sched/decision.h"
#include "sched/reclaim/reclaim.h"

namespace yard::sched {
namespace {

Verdict StateVerdict(const Workload& workload) {
  switch (workload.state) {
    case WorkloadState::kGone:
      return Verdict::kGone;
    case WorkloadState::kHeld:
      return Verdict::kHeld;
    case WorkloadState::kPending:
      return Verdict::kWaits;
    case WorkloadState::kPromised:
      return Verdict::kPromised;
    case WorkloadState::kRunning:
      return Verdict::kRuns;
  }
  return Verdict::kGone;
}

// The table for the largest task, node by node.
std::vector<NodeRow> NodeTableFor(const Core& core, const Workload& workload, PoolIndex pool) {
  const auto largest = std::ranges::max_element(workload.groups, {}, [&](const TaskGroup& group) {
    return core.ShapeAt(group.shape).gpu_count;
  });
  std::vector<NodeRow> rows;
  for (ClassIndex c : core.nodes().ClassesOf(pool)) {
    for (NodeIndex node : core.nodes().Class(c).members) {
      rows.push_back({node, NodeGap(core.nodes(), node, core.snapshot(), largest->shape)});
    }
  }
  std::ranges::sort(rows, {}, &NodeRow::node);
  return rows;
}

// Serves everybody on paper, counting who comes before the workload and does not start now.
void FindPosition(Core& core, WorkloadIndex workload, PoolIndex pool,
                  const std::vector<Start>& starts, Explanation& explanation) {
  std::vector<bool> starts_now(core.snapshot().workloads.size());
  for (const Start& start : starts) {
    starts_now[static_cast<std::size_t>(start.workload.value)] = true;
  }
  Decision paper(core);
  std::vector<LineIndex> lines;
  for (std::size_t place = 0; place < paper.longest_order; ++place) {
    const auto more = LinesAt(paper, pool, place, LineFilter::kAll);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  Walk walk(core, pool, lines, paper.cursors);
  std::int64_t before = 0;
  while (const auto top = walk.Top()) {
    Cursor& cursor = paper.CursorOf(*top);
    const WorkloadIndex next = cursor.next->workload;
    if (next == workload) break;
    if (!starts_now[static_cast<std::size_t>(next.value)]) {
      ++before;
      if (explanation.ahead.size() < kMostAhead) explanation.ahead.push_back(next);
    }
    paper.trial.Book(paper.BookingFor(*top, pool), +1);
    cursor.Step();
    walk.Advance();
  }
  explanation.position = before + 1;
}

// The plan for the workload under other rules; nothing if it does not start.
std::optional<Plan> PlanUnder(const Snapshot& snapshot, const Policy& policy, WorkloadIndex index) {
  Core other(snapshot, policy);
  Plan plan = Decide(other);
  const bool starts = std::ranges::find(plan.starts, index, &Start::workload) != plan.starts.end();
  return starts ? std::optional(std::move(plan)) : std::nullopt;
}

Snapshot Unguarded(Snapshot snapshot) {
  for (Queue& queue : snapshot.queues) {
    queue.reclaim_min_runtime = Micros(0);
    queue.preempt_min_runtime = Micros(0);
  }
  for (Workload& workload : snapshot.workloads) {
    if (!workload.rare.IsDefault()) workload.rare.Edit().spared_until = {};
  }
  return snapshot;
}

// The latest end of a guard among those who would have to leave for it.
Time GuardsEnd(const Core& core, const Plan& plan, WorkloadIndex index) {
  Time until;
  for (const Eviction& eviction : plan.evictions) {
    if (eviction.for_whom != index) continue;
    until = std::max(until, GuardEnd(core, core.At(eviction.victim), eviction.rule));
  }
  return until;
}

// Found by trying: would it start if running work could be stopped for it?
void AddSpared(const Core& core, WorkloadIndex index, std::vector<Reason>& reasons) {
  const bool for_room = std::ranges::any_of(reasons, [](const Reason& reason) {
    return reason.cause >= Cause::kGpus && reason.cause <= Cause::kTopology;
  });
  if (!for_room) return;
  const PoolIndex pool = reasons.front().pool;
  if (core.policy().preemption == Preemption::kNever) {
    Policy allowed = core.policy();
    allowed.preemption = Preemption::kAllowed;
    if (!PlanUnder(core.snapshot(), allowed, index)) return;
    reasons.push_back({.cause = Cause::kPreemptionOff, .pool = pool});
    return;
  }
  Policy policy = core.policy();
  policy.reclaim_min_runtime = policy.preempt_min_runtime = Micros(0);
  const auto plan = PlanUnder(Unguarded(core.snapshot()), policy, index);
  if (!plan) return;
  reasons.push_back(
      {.cause = Cause::kGuarded, .pool = pool, .until = GuardsEnd(core, *plan, index)});
}

}  // namespace

Explanation Explain(Core& core, WorkloadIndex index) {
  Explanation explanation;
  const Workload& workload = core.At(index);
  explanation.verdict = StateVerdict(workload);
  if (explanation.verdict == Verdict::kHeld) explanation.dominant.cause = Cause::kHeld;
  if (explanation.verdict == Verdict::kPromised) {
    explanation.dominant = {.cause = Cause::kPlaceHeld, .pool = PoolOf(core.snapshot(), workload)};
  }
  if (explanation.verdict != Verdict::kWaits) return explanation;
  std::vector<Start> starts;
  {
    Decision decision(core);
    RunSteps(decision);
    starts = std::move(decision.plan.starts);
    const LineIndex line = core.LineOf(index);
    const auto started = std::ranges::find(starts, index, &Start::workload);
    if (started != starts.end()) {
      explanation.verdict = Verdict::kStarts;
      for (const TaskPlacement& task : started->tasks) explanation.places.push_back(task.node);
      return explanation;
    }
    explanation.dominant = DominantReason(decision, line);
    Binding binding = Binder(decision).Of(line);
    explanation.outlook = binding.outlook;
    explanation.reasons = std::move(binding.reasons);
  }
  if (explanation.outlook == Outlook::kWaits) AddSpared(core, index, explanation.reasons);
  if (explanation.dominant.pool == kNone<PoolIndex>) return explanation;
  explanation.nodes = NodeTableFor(core, workload, explanation.dominant.pool);
  FindPosition(core, index, explanation.dominant.pool, starts, explanation);
  return explanation;
}

}  // namespace yard::sched
