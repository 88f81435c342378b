#include "sched/forecast/forecast.h"

#include <algorithm>
#include <set>

#include "sched/backfill/kept.h"
#include "sched/core/waiting.h"
#include "sched/forecast/carry.h"
#include "sched/reclaim/reclaim.h"
#include "sched/scheduler.h"

namespace yard::sched {
namespace {

enum class Trust : std::uint8_t { kRuntimes, kLimits };

// How long it runs, as the bound takes it: at its shortest, or at its longest.
Micros RunsFor(const Workload& workload, Trust trust) {
  const Micros learned = workload.expected_runtime;
  if (trust == Trust::kLimits) {
    if (workload.time_limit.value > 0) return workload.time_limit;
    return std::max(workload.longest_runtime, learned);
  }
  if (workload.shortest_runtime.value > 0) return workload.shortest_runtime;
  return learned.value > 0 ? learned : workload.time_limit;
}

// When a running workload is expected to end, if ever. One that has outlived what experience says
// is expected to take twice as long, and so on, within its limit.
std::optional<Time> EndOf(const Workload& workload, Trust trust, Time now) {
  Micros runs = RunsFor(workload, trust);
  if (runs.value == 0) return std::nullopt;
  const bool learned = runs != workload.time_limit;
  while (learned && workload.started + runs <= now) runs = runs * 2;
  if (workload.time_limit.value > 0) runs = std::min(runs, workload.time_limit);
  return std::max(workload.started + runs, now + Seconds(1));
}

// From when to when ends are taken together.
struct Together {
  Time first;
  Time last;
};
Together TogetherFrom(Time next, Time begin, Grain grain) {
  if (grain == Grain::kExact) return {next, next};
  return {next, next + std::max(Seconds(30), Micros((next - begin).value / 8))};
}

bool HasGuards(const Snapshot& snapshot, const Policy& policy) {
  const auto spared = [&](const Workload& workload) {
    return workload.rare->spared_until > snapshot.now;
  };
  return std::ranges::any_of(snapshot.workloads, spared) || policy.reclaim_min_runtime.value > 0 ||
         policy.preempt_min_runtime.value > 0 ||
         std::ranges::any_of(snapshot.queues, [](const Queue& queue) {
           return queue.reclaim_min_runtime || queue.preempt_min_runtime;
         });
}

// When the guard of a running workload is over, by the minute, so that many of them are few steps.
Time GuardOver(const Core& core, const Workload& running, Rule rule) {
  const std::int64_t minute = Minutes(1).value;
  return {(GuardEnd(core, running, rule).micros + minute - 1) / minute * minute};
}

// When the next workload ends or loses its guard, or a reservation begins, ends or is given back;
// nothing: never.
std::optional<Time> NextEnd(Scheduler& scheduler, Trust trust) {
  const Time now = scheduler.snapshot().now;
  const bool guarded = HasGuards(scheduler.snapshot(), scheduler.policy());
  std::optional<Time> next = NextTurn(scheduler.snapshot().reservations, now);
  const auto sooner = [&](Time at) { next = next ? std::min(*next, at) : at; };
  for (const Workload& workload : scheduler.snapshot().workloads) {
    if (workload.state != WorkloadState::kRunning) continue;
    if (const auto end = EndOf(workload, trust, now)) sooner(*end);
    if (!guarded) continue;
    for (const Rule rule : {Rule::kReclaim, Rule::kPreempt}) {
      const Time over = GuardOver(scheduler.core(), workload, rule);
      if (over > now) sooner(over);
    }
  }
  return next;
}

// Lets the next workloads end; false if none does within the horizon.
bool Advance(Scheduler& scheduler, Trust trust, Time begin, const Horizon& horizon) {
  const std::optional<Time> next = NextEnd(scheduler, trust);
  if (!next || *next > begin + horizon.span) return false;
  const Together ends = TogetherFrom(*next, begin, horizon.grain);
  const auto& workloads = scheduler.snapshot().workloads;
  for (std::size_t w = 0; w < workloads.size(); ++w) {
    if (workloads[w].state != WorkloadState::kRunning) continue;
    const auto end = EndOf(workloads[w], trust, scheduler.snapshot().now);
    if (end && *end <= ends.last) scheduler.Remove(WorkloadIndex(static_cast<std::int32_t>(w)));
  }
  scheduler.SetNow(trust == Trust::kRuntimes ? ends.first : ends.last);
  return true;
}

using StartTimes = std::vector<std::optional<Time>>;  // by workload

// Runs until nothing more starts, or until `only` has.
StartTimes RunForward(const Snapshot& snapshot, const Policy& policy, Trust trust,
                      const Horizon& horizon, WorkloadIndex only) {
  StartTimes times(snapshot.workloads.size());
  auto scheduler = Scheduler::Create(snapshot, policy);
  if (!scheduler) return times;
  // Evicted work needs moments to stop.
  const std::set<WorkloadIndex> leaving = scheduler->core().leaving();
  for (WorkloadIndex victim : leaving) scheduler->Stop(victim);
  for (std::int32_t step = 0; step < horizon.steps; ++step) {
    const Plan plan = scheduler->Decide();
    for (const Start& start : plan.starts) {
      auto& time = times[static_cast<std::size_t>(start.workload.value)];
      if (!time) time = scheduler->snapshot().now;
      if (start.workload == only) return times;
    }
    if (!Carry(*scheduler, plan)) return times;
    const bool settled =
        plan.starts.empty() && plan.evictions.empty() && plan.moves.empty() && plan.lapsed.empty();
    if (settled && !Advance(*scheduler, trust, snapshot.now, horizon)) return times;
  }
  return times;
}

// The world in which every project uses all of its quota, so that nobody borrows.
Snapshot WithinQuotas(Snapshot snapshot) {
  for (Queue& queue : snapshot.queues) {
    if (queue.level != QueueLevel::kProject) continue;
    for (QueueShare& share : queue.shares) {
      const bool promises = share.quota.gpu.value > 0 && share.quota.gpu.value != kUnlimited;
      if (promises) share.limit.gpu = std::min(share.limit.gpu, share.quota.gpu);
    }
  }
  return snapshot;
}

// From the runs' times of one workload.
Forecast Combine(std::optional<Time> early, std::optional<Time> late, std::optional<Time> alone,
                 const Snapshot& snapshot, const Workload& workload) {
  // Nothing protects a start on borrowed GPUs: those who lent them may come meanwhile.
  if (!workload.rare->head && late && alone) late = std::max(*late, *alone);
  // A head may come to start earlier than planned, but only the plan is protected from arrivals.
  // Where no run knows a start, the plan is a guess at when work of unknown length ends.
  if (workload.rare->head && late) late = std::max(*late, workload.rare->head->at);
  Forecast forecast{.earliest = early, .latest = late};
  if (!early && !late) return forecast;
  if (!forecast.earliest) forecast.earliest = forecast.latest;
  if (forecast.latest && *forecast.latest < *forecast.earliest) {
    std::swap(forecast.earliest, forecast.latest);
  }
  const auto some_run_with = [&](Micros Workload::* span) {
    return std::ranges::any_of(snapshot.workloads, [&](const Workload& other) {
      return other.state == WorkloadState::kRunning && (other.*span).value > 0;
    });
  };
  const bool learned =
      some_run_with(&Workload::expected_runtime) || some_run_with(&Workload::shortest_runtime);
  forecast.basis = learned                                ? Basis::kRuntimes
                   : some_run_with(&Workload::time_limit) ? Basis::kTimeLimits
                                                          : Basis::kTurns;
  if (*forecast.earliest == snapshot.now) forecast.basis = Basis::kNow;
  return forecast;
}

}  // namespace

std::vector<Forecast> ForecastAll(const Snapshot& snapshot, const Policy& policy,
                                  const Horizon& horizon) {
  constexpr auto kAll = kNone<WorkloadIndex>;
  const StartTimes early = RunForward(snapshot, policy, Trust::kRuntimes, horizon, kAll);
  const StartTimes late = RunForward(snapshot, policy, Trust::kLimits, horizon, kAll);
  const StartTimes alone =
      RunForward(WithinQuotas(snapshot), policy, Trust::kLimits, horizon, kAll);
  std::vector<Forecast> all(snapshot.workloads.size());
  for (std::size_t w = 0; w < all.size(); ++w) {
    const WorkloadState state = snapshot.workloads[w].state;
    const bool waits = state == WorkloadState::kPending || state == WorkloadState::kPromised;
    if (!waits) continue;
    all[w] = Combine(early[w], late[w], alone[w], snapshot, snapshot.workloads[w]);
  }
  return all;
}

Forecast ForecastStart(const Snapshot& snapshot, const Policy& policy, WorkloadIndex workload,
                       const Horizon& horizon) {
  const auto row = static_cast<std::size_t>(workload.value);
  return Combine(RunForward(snapshot, policy, Trust::kRuntimes, horizon, workload)[row],
                 RunForward(snapshot, policy, Trust::kLimits, horizon, workload)[row],
                 RunForward(WithinQuotas(snapshot), policy, Trust::kLimits, horizon, workload)[row],
                 snapshot, snapshot.workloads[row]);
}

}  // namespace yard::sched
