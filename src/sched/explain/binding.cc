#include "sched/explain/binding.h"

#include <algorithm>
#include <functional>

#include "sched/decide.h"
#include "sched/filter/admit.h"
#include "sched/place/diagnose.h"
#include "sched/place/gang.h"

namespace yard::sched {
namespace {

// The same, but for the numbers: these count once.
bool SameMatter(const Reason& a, const Reason& b) {
  return a.cause == b.cause && a.pool == b.pool && a.queue == b.queue && a.resource == b.resource;
}

void AddOnce(std::vector<Reason>& all, const Reason& reason) {
  const auto same = [&](const Reason& other) { return SameMatter(reason, other); };
  if (std::ranges::none_of(all, same)) all.push_back(reason);
}

// One task that is too large in several respects has a reason for each.
void AddPlacement(const Core& core, const Reason& reason, std::vector<Reason>& all) {
  AddOnce(all, reason);
  if (reason.cause != Cause::kNodeTooSmall || reason.shape == kNone<ShapeIndex>) return;
  for (const Reason& more : TooLarge(core, reason.shape, reason.pool)) AddOnce(all, more);
}

bool HasMachinesOutOfService(const Snapshot& snapshot) {
  return std::ranges::any_of(snapshot.nodes, [](const Node& node) {
    return node.state != NodeState::kReady ||
           std::ranges::any_of(node.gpus, [](const Gpu& gpu) { return gpu.usable.value < 1000; });
  });
}

bool IsEmptyPool(const Reason& reason) {
  return reason.cause == Cause::kNoNodes || reason.cause == Cause::kNoPool;
}

// Of a pool without machines nothing else is worth saying.
std::vector<Reason> OnlyEmptyPool(std::vector<Reason> here) {
  const auto empty = std::ranges::find_if(here, IsEmptyPool);
  if (empty == here.end()) return here;
  return {*empty};
}

}  // namespace

Snapshot WithoutWork(const Snapshot& from, Machines machines) {
  Snapshot empty{.now = from.now,
                 .pools = from.pools,
                 .models = from.models,
                 .labels = from.labels,
                 .extended = from.extended,
                 .domains = from.domains,
                 .levels = from.levels,
                 .nodes = from.nodes,
                 .queues = from.queues,
                 .users = from.users,
                 .shapes = from.shapes,
                 .workloads = {},
                 .reservations = {}};
  if (machines == Machines::kInService) return empty;
  for (Node& node : empty.nodes) {
    node.state = NodeState::kReady;
    for (Gpu& gpu : node.gpus) gpu.usable = MilliGpu(1000);
  }
  return empty;
}

Binder::Binder(Decision& decision)
    : decision_(decision),
      whole_(WithoutWork(decision.core.snapshot(), Machines::kAll), decision.core.policy()) {
  whole_.Prepare();
  const Snapshot& snapshot = decision.core.snapshot();
  if (!HasMachinesOutOfService(snapshot)) return;
  in_service_.emplace(WithoutWork(snapshot, Machines::kInService), decision.core.policy());
  in_service_->Prepare();
}

std::vector<Reason> Binder::Now(LineIndex line, PoolIndex pool) {
  Core& core = decision_.core;
  std::vector<Reason> all;
  // What the decision met counts first: it knows what this very plan starts.
  if (const auto& refused = decision_.LineRefusal(line, pool)) all.push_back(*refused);
  const Booking booking = decision_.BookingFor(line, pool);
  for (const Reason& bound : AllRefusals(core, booking)) AddOnce(all, bound);
  const SpecIndex spec = core.waiting().At(line).spec;
  const Micros duration = core.waiting().SpecAt(spec).duration;
  if (const auto kept = decision_.kept.Refuses(core, booking, duration)) AddOnce(all, *kept);
  if (const auto& refused = decision_.SpecRefusal(spec, pool)) {
    AddPlacement(core, *refused, all);
  } else {
    const Trial::Mark mark = decision_.trial.Here();
    const GangResult placed = PlaceGang(core, decision_.trial, core.waiting().SpecAt(spec), pool);
    decision_.trial.RollBack(mark);
    if (!placed.tasks) AddPlacement(core, placed.reason, all);
  }
  return OnlyEmptyPool(std::move(all));
}

std::vector<Reason> Binder::Alone(Core& empty, LineIndex line, PoolIndex pool) const {
  std::vector<Reason> all = AllRefusals(empty, decision_.BookingFor(line, pool));
  const SpecIndex spec = decision_.core.waiting().At(line).spec;
  Trial trial(empty);
  const GangResult placed = PlaceGang(empty, trial, decision_.core.waiting().SpecAt(spec), pool);
  if (!placed.tasks) AddPlacement(empty, placed.reason, all);
  for (Reason& reason : all) reason.footing = Footing::kEmpty;
  return OnlyEmptyPool(std::move(all));
}

std::vector<Reason> Binder::AloneAnywhere(Core& empty, LineIndex line) const {
  std::vector<std::vector<Reason>> pools;
  for (PoolIndex pool : decision_.core.waiting().At(line).pools) {
    pools.push_back(Alone(empty, line, pool));
    if (pools.back().empty()) return {};
  }
  // The pool where it comes closest first; those without machines last.
  std::ranges::stable_sort(pools, std::greater{}, [](const std::vector<Reason>& here) {
    return IsEmptyPool(here.front()) ? Cause::kNone : std::ranges::max(here).cause;
  });
  std::vector<Reason> all;
  for (const std::vector<Reason>& here : pools) all.insert(all.end(), here.begin(), here.end());
  return all;
}

std::optional<Reason> Binder::OutOfService(LineIndex line) {
  if (!in_service_) return std::nullopt;
  const std::vector<Reason> all = AloneAnywhere(*in_service_, line);
  if (all.empty()) return std::nullopt;
  const PoolIndex pool = all.front().pool;
  return Reason{.cause = Cause::kOutOfService,
                .pool = pool,
                .bound = in_service_->nodes().Total(pool).gpu.value,
                .allocated = whole_.nodes().Total(pool).gpu.value,
                .requested = decision_.BookingFor(line, pool).cost.gpu.value};
}

// When the first of those starts whom backfill must not delay there. A limit of a person counts in
// all pools, so the one that is delayed may have its place in another.
Time Binder::FirstPlannedIn(PoolIndex pool) const {
  std::optional<Time> here;
  std::optional<Time> anywhere;
  auto sooner = [](std::optional<Time>& first, Time at) {
    first = std::min(first.value_or(at), at);
  };
  for (const PlannedStart& planned : decision_.plan.planned) {
    const auto held = decision_.holds->Of(planned.workload);
    if (!held) continue;
    sooner(anywhere, held->at);
    const auto node = static_cast<std::size_t>(held->tasks.front().node.value);
    if (decision_.core.snapshot().nodes[node].pool == pool) sooner(here, held->at);
  }
  return here.value_or(anywhere.value_or(Time{}));
}

Binding Binder::Of(LineIndex line) {
  Binding binding;
  const std::vector<PoolIndex> pools = decision_.core.waiting().At(line).pools;
  const Reason dominant = DominantReason(decision_, line);
  const std::vector<Reason> alone = AloneAnywhere(whole_, line);
  // Machines come and go: where none is known, nothing can be said for ever.
  if (!alone.empty() && !IsEmptyPool(alone.front())) {
    binding.outlook = Outlook::kNever;
    for (const Reason& reason : alone) {
      if (!IsEmptyPool(reason)) binding.reasons.push_back(reason);
    }
  } else if (const auto lacking = alone.empty() ? OutOfService(line) : std::nullopt) {
    binding.outlook = Outlook::kOutOfService;
    binding.reasons.push_back(*lacking);
  }
  std::vector<Reason> empty_pools;
  AddOnce(IsEmptyPool(dominant) ? empty_pools : binding.reasons, dominant);
  auto add = [&](PoolIndex pool) {
    for (const Reason& reason : Now(line, pool)) {
      AddOnce(IsEmptyPool(reason) ? empty_pools : binding.reasons, reason);
    }
  };
  if (dominant.pool != kNone<PoolIndex>) add(dominant.pool);
  for (PoolIndex pool : pools) {
    if (pool != dominant.pool) add(pool);
  }
  for (const Reason& reason : empty_pools) AddOnce(binding.reasons, reason);
  for (Reason& reason : binding.reasons) {
    if (reason.cause == Cause::kBackfill) reason.from = FirstPlannedIn(reason.pool);
  }
  return binding;
}

}  // namespace yard::sched
