#include "sched/forecast/forecast.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "sched/backfill/kept.h"
#include "sched/core/waiting.h"
#include "sched/forecast/carry.h"
#include "sched/reclaim/reclaim.h"
#include "sched/scheduler.h"

namespace yard::sched {
namespace {

enum class Trust : std::uint8_t { kRuntimes, kLimits };

// Whether more comes after what ends.
enum class Flow : std::uint8_t { kRunsDry, kGoesOn };

// What is taken for granted in one run.
struct World {
  Trust trust = Trust::kLimits;
  Flow flow = Flow::kRunsDry;
  Grain grain = Grain::kExact;
};

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

// Until when ends are taken together with the next one.
Time TogetherUntil(Time next, Time begin, Grain grain) {
  if (grain == Grain::kExact) return next;
  return next + std::max(Seconds(30), Micros((next - begin).value / 8));
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

// Those who had the ended work send as much again.
void SubmitAgain(Scheduler& scheduler, std::vector<Workload> ended) {
  std::int64_t last = 0;
  for (const Workload& known : scheduler.snapshot().workloads)
    last = std::max(last, known.id.value);
  for (Workload& again : ended) {
    again.id = WorkloadId(++last);
    again.state = WorkloadState::kPending;
    again.created = scheduler.snapshot().now;
    again.tasks.clear();
    again.rare.Reset();
    YARD_CHECK(scheduler.Add(std::move(again)).has_value());
  }
}

// Lets the next workloads end; false if none does within the horizon.
bool Advance(Scheduler& scheduler, const World& world, Time begin, const Horizon& horizon) {
  const std::optional<Time> next = NextEnd(scheduler, world.trust);
  if (!next || *next > begin + horizon.span) return false;
  const Time until = TogetherUntil(*next, begin, world.grain);
  Time last = *next;
  const auto& workloads = scheduler.snapshot().workloads;
  std::vector<Workload> ended;
  for (std::size_t w = 0; w < workloads.size(); ++w) {
    if (workloads[w].state != WorkloadState::kRunning) continue;
    const auto end = EndOf(workloads[w], world.trust, scheduler.snapshot().now);
    if (!end || *end > until) continue;
    last = std::max(last, *end);
    if (world.flow == Flow::kGoesOn) ended.push_back(workloads[w]);
    scheduler.Remove(WorkloadIndex(static_cast<std::int32_t>(w)));
  }
  scheduler.SetNow(world.trust == Trust::kRuntimes ? *next : last);
  SubmitAgain(scheduler, std::move(ended));
  return true;
}

bool Waits(const Workload& workload) {
  return workload.state == WorkloadState::kPending || workload.state == WorkloadState::kPromised;
}

using StartTimes = std::vector<std::optional<Time>>;  // by workload

// Runs until nothing more starts, or until `only` has, or all that wait now have.
StartTimes RunForward(const Snapshot& snapshot, const Policy& policy, const World& world,
                      const Horizon& horizon, WorkloadIndex only) {
  StartTimes times(snapshot.workloads.size());
  auto scheduler = Scheduler::Create(snapshot, policy);
  if (!scheduler) return times;
  // Evicted work needs moments to stop.
  const std::set<WorkloadIndex> leaving = scheduler->core().leaving();
  for (WorkloadIndex victim : leaving) scheduler->Stop(victim);
  auto waiting = std::ranges::count_if(snapshot.workloads, Waits);
  for (std::int32_t step = 0; step < horizon.steps && waiting > 0; ++step) {
    const Plan plan = scheduler->Decide();
    for (const Start& start : plan.starts) {
      const auto row = static_cast<std::size_t>(start.workload.value);
      // Slots are used again, by work that is none of theirs.
      if (row >= times.size() || times[row] || !Waits(snapshot.workloads[row])) continue;
      times[row] = scheduler->snapshot().now;
      --waiting;
      if (start.workload == only) return times;
    }
    if (!Carry(*scheduler, plan)) return times;
    const bool settled =
        plan.starts.empty() && plan.evictions.empty() && plan.moves.empty() && plan.lapsed.empty();
    if (settled && !Advance(*scheduler, world, snapshot.now, horizon)) return times;
  }
  return times;
}

World EarlyWorld(const Horizon& horizon) {
  return {.trust = Trust::kRuntimes, .grain = horizon.grain};
}

World LateWorld(const Horizon& horizon) {
  return {.trust = Trust::kLimits, .grain = horizon.grain};
}

// In full swing until far ahead, for which single ends would be too many.
constexpr World kBusyWorld{.trust = Trust::kLimits, .flow = Flow::kGoesOn, .grain = Grain::kCoarse};

// What the runs say about one workload.
struct RunResults {
  std::optional<Time> early;  // work ends when experience says
  std::optional<Time> late;   // work uses its whole limit
  std::optional<Time> busy;   // and others go on as they do now
};

// Only a plan is protected from those who come later. So the latest start is that of a world in
// which they come; where it never starts in that world, nobody can say a latest one.
std::optional<Time> LatestOf(const RunResults& found, const Workload& workload) {
  if (!found.late) return std::nullopt;
  if (const auto& head = workload.rare->head) {
    return std::max({*found.late, head->at, found.busy.value_or(head->at)});
  }
  if (!found.busy) return std::nullopt;
  return std::max(*found.late, *found.busy);
}

Forecast Combine(const RunResults& found, const Snapshot& snapshot, const Workload& workload) {
  const std::optional<Time> early = found.early;
  const std::optional<Time> late = LatestOf(found, workload);
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
  const auto run = [&](const World& world) {
    return RunForward(snapshot, policy, world, horizon, kAll);
  };
  const StartTimes early = run(EarlyWorld(horizon));
  const StartTimes late = run(LateWorld(horizon));
  const StartTimes busy = run(kBusyWorld);
  std::vector<Forecast> all(snapshot.workloads.size());
  for (std::size_t w = 0; w < all.size(); ++w) {
    const Workload& workload = snapshot.workloads[w];
    if (Waits(workload)) all[w] = Combine({early[w], late[w], busy[w]}, snapshot, workload);
  }
  return all;
}

Forecast ForecastStart(const Snapshot& snapshot, const Policy& policy, WorkloadIndex workload,
                       const Horizon& horizon) {
  const auto row = static_cast<std::size_t>(workload.value);
  const auto run = [&](const World& world) {
    return RunForward(snapshot, policy, world, horizon, workload)[row];
  };
  const RunResults found{run(EarlyWorld(horizon)), run(LateWorld(horizon)), run(kBusyWorld)};
  return Combine(found, snapshot, snapshot.workloads[row]);
}

}  // namespace yard::sched
