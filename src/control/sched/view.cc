#include "control/sched/view.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>

#include "base/log.h"
#include "control/commands/reservations.h"
#include "control/dispatch/attempts.h"
#include "model/spec/spec.h"
#include "model/workload.h"
#include "sched/backfill/kept.h"
#include "sched/reclaim/spared.h"

namespace yard::control {
namespace {

using sched::WorkloadState;

// Past usage reaches the scheduler in steps, since it rebuilds what follows from the queues.
constexpr Micros kUsageStep = Minutes(15);

// What is taken of a node may be more than it has: a device broke, or the machine shrank. The
// scheduler's tables must still add up, so the node is given what is taken.
bool PadNodes(sched::Snapshot& snapshot) {
  std::vector<sched::Node> taken(snapshot.nodes.size());
  for (std::size_t n = 0; n < taken.size(); ++n) {
    taken[n].gpus.assign(snapshot.nodes[n].gpus.size(), {.usable = MilliGpu(0)});
  }
  for (const sched::Workload& workload : snapshot.workloads) {
    if (workload.state != WorkloadState::kRunning) continue;
    for (const sched::TaskPlacement& task : workload.tasks) {
      const auto group = static_cast<std::size_t>(task.group);
      const auto shape = static_cast<std::size_t>(workload.groups[group].shape.value);
      sched::Node& node = taken[static_cast<std::size_t>(task.node.value)];
      node.cpu += snapshot.shapes[shape].cpu;
      node.memory += snapshot.shapes[shape].memory;
      for (std::uint64_t rest = task.gpus; rest != 0; rest &= rest - 1) {
        node.gpus[static_cast<std::size_t>(std::countr_zero(rest))].usable += task.each;
      }
    }
  }
  bool padded = false;
  auto raise = [&](auto& has, auto needs) {
    padded = padded || has < needs;
    has = std::max(has, needs);
  };
  for (std::size_t n = 0; n < taken.size(); ++n) {
    sched::Node& node = snapshot.nodes[n];
    raise(node.cpu, taken[n].cpu);
    raise(node.memory, taken[n].memory);
    for (std::size_t g = 0; g < node.gpus.size(); ++g) {
      raise(node.gpus[g].usable, std::min(taken[n].gpus[g].usable, MilliGpu(1000)));
    }
  }
  return padded;
}

void WriteCaps(const Caps& caps, sched::Snapshot& snapshot) {
  for (sched::User& user : snapshot.users) {
    user.max_gpu_milli = caps.user_milli_gpu;
    user.max_interactive = caps.user_interactive;
  }
  for (sched::Queue& queue : snapshot.queues) {
    if (queue.level == sched::QueueLevel::kProject)
      queue.max_interactive = caps.project_interactive;
  }
}

sched::ShapeIndex InternInto(std::vector<sched::TaskShape>& shapes, sched::TaskShape shape) {
  auto same = std::ranges::find(shapes, shape);
  if (same == shapes.end()) same = shapes.insert(same, std::move(shape));
  return sched::ShapeIndex(static_cast<std::int32_t>(same - shapes.begin()));
}

// It counts as running from the moment all of its tasks do, and not while it is away.
Time StartOf(const Attempt& attempt) {
  return attempt.started_at.value_or(attempt.placed_at) +
         AwayUntil(attempt, attempt.residence_since);
}

sched::TaskShape WithoutGpus(sched::TaskShape shape) {
  const sched::TaskShape none;
  shape.gpu_count = none.gpu_count;
  shape.gpu_each = none.gpu_each;
  shape.gpu_memory_each = none.gpu_memory_each;
  return shape;
}

// What is away only lies there: nobody can make it give way, no limit of it runs, and it is no
// interactive session.
void LayAside(sched::Workload& workload) {
  workload.preemptibility = sched::Preemptibility::kNonPreemptible;
  workload.kind = sched::WorkloadKind::kTraining;
  workload.time_limit = workload.expected_runtime = Micros(0);
  workload.shortest_runtime = workload.longest_runtime = Micros(0);
  for (sched::TaskPlacement& task : workload.tasks) {
    task.gpus = 0;
    task.each = MilliGpu(0);
  }
}

}  // namespace

SchedView::Slot SchedView::SlotOf(sched::WorkloadIndex index, WorkloadState as,
                                  const Workload& workload, const Attempt* attempt) const {
  Slot slot{.index = index, .state = as, .priority = workload.priority};
  if (attempt == nullptr) {
    slot.wish = std::hash<std::string>{}(workload.spec->document.json);
    return slot;
  }
  slot.attempt = attempt->id;
  slot.started = StartOf(*attempt);
  slot.away = !HoldsGpus(*attempt);
  slot.returns = attempt->residence == Residence::kReturning;
  slot.leaves_for = promises_.LeavesFor(attempt->id);
  return slot;
}

std::optional<sched::WorkloadIndex> SchedView::Find(WorkloadId id) const {
  auto slot = slots_.find(id);
  return slot == slots_.end() ? std::nullopt : std::optional(slot->second.index);
}

void SchedView::Remember(WorkloadId id, const Slot& slot) {
  slots_[id] = slot;
  const auto row = static_cast<std::size_t>(slot.index.value);
  if (ids_.size() <= row) ids_.resize(row + 1);
  ids_[row] = id;
}

std::optional<WorkloadState> SchedView::WantedWaiting(const State& state,
                                                      const Workload& workload) {
  GateAnswer gate = AskGate(state, workload, now_);
  if (gate.state == GateState::kOpen && !throttle_.MayEnter(workload)) {
    gate = {GateState::kClosed, "ArrayThrottle", "Waits until another item of its array ends."};
  }
  if (gate.state == GateState::kOpen) return WorkloadState::kPending;
  gated_[workload.id] = std::move(gate);
  newly_gated_.push_back(workload.id);
  return WorkloadState::kHeld;
}

std::optional<WorkloadState> SchedView::Wanted(const State& state, const Workload& workload) {
  if (Ptr<Attempt> open = state.OpenAttempt(workload)) {
    HoldsGpus(*open) ? throttle_.Enter(workload) : LeaveThrottle(workload);
    return WorkloadState::kRunning;
  }
  if (Waits(state, workload)) {
    const std::optional<WorkloadState> waits = WantedWaiting(state, workload);
    const bool promised = waits == WorkloadState::kPending && promises_.Of(workload.id);
    return promised ? WorkloadState::kPromised : waits;
  }
  LeaveThrottle(workload);
  return std::nullopt;
}

void SchedView::LeaveThrottle(const Workload& workload) {
  if (std::optional<WorkloadId> next = throttle_.Leave(workload)) again_.push_back(*next);
}

std::optional<sched::Workload> SchedView::Describe(const Workload& workload, WorkloadState as,
                                                   const Attempt* attempt,
                                                   const InternShape& intern) {
  const bool away = attempt != nullptr && !HoldsGpus(*attempt);
  auto shape_of = [&](sched::TaskShape shape) {
    return intern(away ? WithoutGpus(std::move(shape)) : std::move(shape));
  };
  std::optional<sched::Workload> out = DescribeWorkload(tables_, workload, shape_of, extra_);
  if (!out || out->groups.empty()) return std::nullopt;
  out->state = as;
  if (elastic_) AllowElastic(workload, *out);
  if (auto learned = run_times_.Of(workload)) out->expected_runtime = learned->runtime;
  if (auto range = run_times_.RangeOf(workload)) {
    out->shortest_runtime = range->shortest;
    out->longest_runtime = range->longest;
  }
  if (as == WorkloadState::kPromised) {
    if (const std::optional<Promise> promise = promises_.Of(workload.id)) {
      out->tasks = TasksOf(*out, promise->places);
    }
    if (out->tasks.empty()) out->state = WorkloadState::kPending;
  }
  if (out->state == WorkloadState::kPending) AddHead(*out, workload.id);
  if (attempt == nullptr) return out;
  out->started = StartOf(*attempt);
  out->tasks = TasksOf(*out, attempt->places);
  if (away) LayAside(*out);
  // What is away has left already.
  const auto leaves_for = away ? std::nullopt : promises_.LeavesFor(attempt->id);
  if (leaves_for) out->rare.Edit().leaving_for = OrderOf(*leaves_for);
  if (leaves_for == workload.id) {
    const std::optional<Promise> own = promises_.Of(workload.id);
    if (own && Knows(own->places)) out->rare.Edit().head = {now_, TasksOf(*out, own->places)};
  }
  // Its memory would be lost in the middle of its way back.
  if (attempt->residence == Residence::kReturning) {
    out->preemptibility = sched::Preemptibility::kNonPreemptible;
  }
  return out;
}

// Evicted so often lately that it is left alone for a while.
void SchedView::AddSpared(sched::Workload& row, const State& state,
                          const Workload& workload) const {
  if (most_evictions_ == 0 || workload.attempts <= most_evictions_) return;
  std::vector<Time> evictions;
  for (const Ptr<Attempt>& attempt : state.AttemptsOf(workload.id)) {
    const bool evicted = attempt->end && attempt->end->cause == EndCause::kPreempted;
    if (evicted) evictions.push_back(attempt->end->at);
  }
  const Time until = sched::SparedUntil(evictions, most_evictions_);
  if (until != Time{}) row.rare.Edit().spared_until = until;
}

void SchedView::AddRow(sched::Snapshot& snapshot, const State& state, const Workload& workload) {
  if (!IsAsked(state, workload, cluster_, passed_)) return;
  for (const Dependency& after : workload.rules.after) {
    if (!IsFinal(workload.life)) followers_[after.workload].insert(workload.id);
  }
  std::optional<WorkloadState> as = Wanted(state, workload);
  if (!as) return;
  Ptr<Attempt> attempt = state.OpenAttempt(workload);
  auto intern = [&](sched::TaskShape shape) {
    return InternInto(snapshot.shapes, std::move(shape));
  };
  std::optional<sched::Workload> row = Describe(workload, *as, attempt.get(), intern);
  if (!row) return;
  AddSpared(*row, state, workload);
  snapshot.workloads.push_back(std::move(*row));
  const sched::WorkloadIndex index(static_cast<std::int32_t>(snapshot.workloads.size()) - 1);
  Remember(workload.id, SlotOf(index, *as, workload, attempt.get()));
}

void SchedView::WriteUsage(const State& state, const SchedulerRules& rules) {
  if (!sched::LooksAtPastUsage(tables_.snapshot, rules.policy)) {
    usage_.reset();
    usage_due_.reset();
    return;
  }
  if (!usage_ || usage_->half_life() != rules.half_life) {
    usage_.emplace(rules.half_life);
    usage_->AddAll(state);
  }
  usage_->WriteTo(tables_);
  usage_due_ = tables_.snapshot.now + std::min(kUsageStep, rules.half_life);
}

// Open reservations that are given back if unused: when their projects' work there last ended.
void SchedView::WriteLastUse(const State& state) {
  sched::Snapshot& snapshot = tables_.snapshot;
  for (std::size_t row = 0; row < tables_.reservations.size(); ++row) {
    sched::Reservation& open = snapshot.reservations[row];
    bool releases = open.release_after.value > 0;
    if (!releases || open.start > snapshot.now || open.end <= snapshot.now) continue;
    Ptr<Reservation> one = state.Find<Reservation>(tables_.reservations[row]);
    open.unused_since =
        LastUse(state, one->project, tables_.pool_ids[static_cast<std::size_t>(open.pool.value)]);
  }
}

std::optional<Time> SchedView::NextTurn(Time after) {
  std::optional<Time> turn = sched::NextTurn(scheduler_->snapshot().reservations, after);
  std::optional<Time> guard = guards_.NextAfter(after);
  return turn && guard ? std::min(*turn, *guard) : (turn ? turn : guard);
}

void SchedView::AddUsage(const State& state, const Attempt& attempt) {
  if (usage_) usage_->Add(state, attempt);
}

void SchedView::SetNow(Time now) {
  now_ = now;
  if (!stale()) scheduler_->SetNow(now);
}

Status SchedView::Rebuild(const State& state, Time now) {
  now_ = now;
  const SchedulerRules rules = RulesOf(state, usual_);
  most_evictions_ = rules.policy.most_evictions_per_hour;
  elastic_ = rules.elastic;
  // Once more if a workload uses words the tables did not have.
  for (std::size_t words = ~std::size_t{0}; words != extra_.size();) {
    words = extra_.size();
    slots_.clear();
    ids_.clear();
    followers_.clear();
    throttle_.Clear();
    gated_.clear();
    newly_gated_.clear();
    tables_ = MakeTables(state, cluster_, extra_);
    tables_words_ = extra_;
    sched::Snapshot rows;
    state.Of<Workload>().Each([&](const Workload& workload) { AddRow(rows, state, workload); });
    tables_.snapshot.shapes = std::move(rows.shapes);
    tables_.snapshot.workloads = std::move(rows.workloads);
  }
  again_.clear();
  tables_.snapshot.now = now;
  padded_ = PadNodes(tables_.snapshot);
  WriteUsage(state, rules);
  WriteLastUse(state);
  WriteCaps(rules.caps, tables_.snapshot);
  guards_.Reset(tables_.snapshot, rules.policy);
  auto scheduler = sched::Scheduler::Create(tables_.snapshot, rules.policy);
  tables_.snapshot.workloads.clear();
  tables_.snapshot.shapes.clear();
  if (!scheduler) return Fail(scheduler.error());
  scheduler_.emplace(*std::move(scheduler));
  stale_ = false;
  return {};
}

void SchedView::Enter(const State& state, const Workload& workload, WorkloadState as,
                      const Attempt* attempt) {
  auto intern = [&](sched::TaskShape shape) { return scheduler_->Intern(std::move(shape)); };
  std::size_t nodes = tables_.nodes.size();
  std::optional<sched::Workload> row = Describe(workload, as, attempt, intern);
  if (!row) {
    stale_ = stale_ || NeedsWords();
    return;
  }
  for (const Dependency& after : workload.rules.after) {
    followers_[after.workload].insert(workload.id);
  }
  if (nodes != tables_.nodes.size()) stale_ = true;
  if (stale_) return;
  if (as == WorkloadState::kRunning) {
    AddSpared(*row, state, workload);
    guards_.Add(*row);
  }
  auto index = scheduler_->Add(std::move(*row));
  if (!index) {
    log::Warning("the scheduler's picture is built again", {{"error", index.error().message}});
    stale_ = true;
    return;
  }
  Remember(workload.id, SlotOf(*index, as, workload, attempt));
}

void SchedView::Change(const State& state, Slot& slot, const Workload& workload, WorkloadState as,
                       const Attempt* attempt) {
  const Slot now = SlotOf(slot.index, as, workload, attempt);
  if (slot == now) return;
  const bool stops = slot.state == WorkloadState::kRunning && as == WorkloadState::kPending;
  // The row of what was away has no GPUs, so it must be made anew.
  if (stops && !slot.away && slot.priority == now.priority && !padded_) {
    scheduler_->Stop(slot.index);
    slot = now;
    return;
  }
  Leave(workload.id);
  Enter(state, workload, as, attempt);
}

void SchedView::Release(WorkloadId id) {
  if (stale()) return;
  auto slot = slots_.find(id);
  if (slot == slots_.end() || slot->second.leaves_for != id || padded_) return Leave(id);
  // It starts again: nobody else may have its next place meanwhile.
  scheduler_->Stop(slot->second.index);
  slot->second.state = WorkloadState::kPromised;
}

bool SchedView::Return(const Workload& workload, const Attempt& attempt) {
  auto slot = slots_.find(workload.id);
  if (stale() || slot == slots_.end() || !slot->second.away) return false;
  if (LiesOnPromisedPlace(attempt)) return false;
  const sched::Snapshot& snapshot = scheduler_->snapshot();
  for (const TaskPlace& place : attempt.places) {
    auto node = tables_.nodes.find(place.node);
    if (node == tables_.nodes.end()) return false;
    const auto row = static_cast<std::size_t>(node->second.value);
    if (snapshot.nodes[row].state != sched::NodeState::kReady) return false;
  }
  Attempt back = attempt;
  Relocate(back, Residence::kOnGpu, snapshot.now);
  return Rewrite(slot->second, workload, back);
}

void SchedView::Withdraw(const Workload& workload, const Attempt& attempt) {
  auto slot = slots_.find(workload.id);
  if (stale() || slot == slots_.end()) return;
  if (!Rewrite(slot->second, workload, attempt)) stale_ = true;
}

bool SchedView::Rewrite(Slot& slot, const Workload& workload, const Attempt& attempt) {
  auto intern = [&](sched::TaskShape shape) { return scheduler_->Intern(std::move(shape)); };
  auto row = Describe(workload, WorkloadState::kRunning, &attempt, intern);
  if (!row || !scheduler_->Replace(slot.index, *std::move(row))) return false;
  slot = SlotOf(slot.index, WorkloadState::kRunning, workload, &attempt);
  return true;
}

void SchedView::Leave(WorkloadId id) {
  auto slot = slots_.find(id);
  if (slot == slots_.end()) return;
  scheduler_->Remove(slot->second.index);
  slots_.erase(slot);
  stale_ = stale_ || padded_;
}

void SchedView::SyncOne(const State& state, WorkloadId id) {
  Ptr<Workload> workload = state.Find<Workload>(id);
  if (!workload) return;
  gated_.erase(id);
  std::optional<WorkloadState> as;
  if (IsAsked(state, *workload, cluster_, passed_)) as = Wanted(state, *workload);
  auto slot = slots_.find(id);
  Ptr<Attempt> attempt = state.OpenAttempt(*workload);
  if (!as) {
    Leave(id);
    if (auto at = followers_.find(id); at != followers_.end()) {
      again_.insert(again_.end(), at->second.begin(), at->second.end());
    }
  } else if (slot == slots_.end()) {
    Enter(state, *workload, *as, attempt.get());
  } else {
    Change(state, slot->second, *workload, *as, attempt.get());
  }
}

bool SchedView::Concerns(const State& state, WorkloadId id) const {
  if (slots_.contains(id) || followers_.contains(id) || gated_.contains(id)) return true;
  Ptr<Workload> workload = state.Find<Workload>(id);
  return !workload || IsAsked(state, *workload, cluster_, passed_);
}

void SchedView::Sync(const State& state, WorkloadId id) {
  if (stale()) return;
  again_.push_back(id);
  while (!again_.empty() && !stale_) {
    WorkloadId next = again_.back();
    again_.pop_back();
    SyncOne(state, next);
  }
}

Result<sched::WorkloadIndex> SchedView::AddDraft(const Workload& draft) {
  auto intern = [&](sched::TaskShape shape) { return scheduler_->Intern(std::move(shape)); };
  std::optional<sched::Workload> row = Describe(draft, WorkloadState::kPending, nullptr, intern);
  if (!row) return Fail(Code::kInvalid, "the work asks for something no machine here has");
  return scheduler_->Add(std::move(*row));
}

}  // namespace yard::control
