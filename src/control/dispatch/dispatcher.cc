#include "control/dispatch/dispatcher.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "engine/warning.h"
#include "model/spec/spec.h"

namespace yard::control {
namespace {

constexpr Micros kCommitRetry{200'000};
constexpr Micros kRetry = Seconds(1);
// An engine need not notice that a GPU is gone, sick, or used by others.
constexpr Micros kBetweenNodeReads = Seconds(10);
// News of a task may be lost on the way.
constexpr Micros kBetweenStatusReads = Minutes(1);

// A clock that was set back does not put things off.
bool IsDue(Time last, Micros every, Time now) {
  return now >= last + every || now < last;
}

}  // namespace

Dispatcher::Dispatcher(ClusterId cluster, sched::Policy usual, RunTimes& run_times,
                       Promises& promises)
    : cluster_(cluster),
      run_times_(run_times),
      promises_(promises),
      view_(cluster, usual, run_times, promises) {}

Time Dispatcher::wake_at() const {
  Time next = nodes_read_at_ + kBetweenNodeReads;
  auto sooner = [&](Time at) { next = std::min(next, at); };
  if (retry_at_) sooner(*retry_at_);
  if (!deadlines_.empty()) sooner(deadlines_.begin()->first);
  if (!begins_.empty()) sooner(begins_.begin()->first);
  if (!warnings_.empty()) sooner(warnings_.begin()->first);
  if (!launch_again_.empty()) sooner(launch_again_.begin()->first);
  if (!stop_again_.empty()) sooner(stop_again_.begin()->first);
  if (!move_again_.empty()) sooner(move_again_.begin()->first);
  for (AttemptId id : away_) {
    if (Time at = open_.at(id).return_after; at != Time{}) sooner(at);
  }
  if (remark_) sooner(remarked_at_ + Seconds(1));
  if (!open_.empty()) sooner(std::min(idle_look_at_, status_read_at_ + kBetweenStatusReads));
  if (view_.usage_due()) sooner(*view_.usage_due());
  if (turn_) sooner(*turn_);
  if (drain_turn_) sooner(*drain_turn_);
  return next;
}

// What the engine could not do it is asked again after a while.
void Dispatcher::AskAgain(const Inbox& inbox, Time now) {
  for (const engine::TaskKey& key : inbox.not_launched) launch_again_.emplace(now + kRetry, key);
  for (const StopTasks& order : inbox.not_stopped) stop_again_.emplace(now + kRetry, order);
  std::vector<engine::TaskKey> due;
  while (!launch_again_.empty() && launch_again_.begin()->first <= now) {
    due.push_back(launch_again_.begin()->second);
    launch_again_.erase(launch_again_.begin());
  }
  Launch(std::move(due));
  while (!stop_again_.empty() && stop_again_.begin()->first <= now) {
    StopTasks order = stop_again_.begin()->second;
    stop_again_.erase(stop_again_.begin());
    Stop(std::move(order));
  }
}

Orders Dispatcher::Step(const State& state, Inbox inbox, Time now) {
  for (const AttemptChange& change : inbox.attempts) TakeAttempt(state, change);
  for (const engine::TaskStatus& status : inbox.tasks) TakeTask(status);
  std::vector<engine::TaskKey> to_launch;
  for (const engine::TaskKey& key : inbox.unknown) {
    if (TakeUnknown(state, key, now) == Unknown::kNeverLaunched) to_launch.push_back(key);
  }
  Launch(std::move(to_launch));
  TakeMoved(inbox.moved, now);
  TakeResumed(inbox.resumed);
  MoveAgain(now);
  AskAgain(inbox, now);
  for (AttemptId attempt : inbox.changed_limits) {
    if (open_.contains(attempt)) Ask(SetGpuLimits{attempt});
  }
  TakeContact(inbox, now);
  if (IsDue(nodes_read_at_, kBetweenNodeReads, now)) {
    nodes_read_at_ = now;
    Ask(ReadNodes{});
  }
  TakePassed(inbox);
  SyncView(state, inbox, now);
  SendWarnings(now);
  DropUnwanted(state);
  AskForUsage(state, now);
  AskForStatus(now);
  Orders orders;
  Cycle& cycle = orders.commit;
  if (!retry_at_ || *retry_at_ <= now) {
    retry_at_.reset();
    AddProgress(state, cycle);
    AddDeadlines(state, now, cycle);
    AddDrains(now, cycle);
    AddGated(state, cycle);
    AddIdle(state, inbox, now, cycle);
    AddNotes(state, inbox, cycle);
    cycle.moved = moved_;
    AddReturns(state, now, cycle);
    AddPlan(state, now, cycle);
    Publish(state, now, orders);
    remark_ = remark_ || !cycle.promises.empty();  // these are kept once they are committed
    cycle.nodes = nodes_;
    if (nodes_lost_) cycle.lost = lost_->why;
  }
  orders.engine = std::exchange(asked_, {});
  return orders;
}

void Dispatcher::AskForStatus(Time now) {
  if (open_.empty() || !IsDue(status_read_at_, kBetweenStatusReads, now)) return;
  status_read_at_ = now;
  std::vector<engine::TaskKey> keys;
  for (const auto& [id, open] : open_) {
    for (const engine::TaskStatus& task : open.tasks) {
      if (!task.end) keys.push_back(task.key);
    }
  }
  std::ranges::sort(keys);
  if (!keys.empty()) Ask(ReadStatus{std::move(keys)});
}

void Dispatcher::Committed(const State& state, const Cycle& cycle) {
  touched_.clear();
  moved_.clear();
  nodes_.reset();
  nodes_lost_ = false;
  MakePromises(state, cycle.promises);
}

void Dispatcher::NotCommitted(const State& state, const Cycle& cycle, Time now) {
  retry_at_ = now + kCommitRetry;
  decide_ = true;
  view_.MarkStale();
  for (const StopRequest& stop : cycle.stops) ArmDeadline(state, stop.workload);
  for (const Remark& failure : cycle.failures) ArmDeadline(state, failure.workload);
}

bool Dispatcher::RunsWhole(const Attempt& attempt) const {
  auto at = open_.find(attempt.id);
  return attempt.started_at && at != open_.end() &&
         std::ranges::none_of(at->second.tasks, [](const auto& task) { return !!task.end; });
}

void Dispatcher::StopAll(const State& state, const Attempt& attempt) {
  Ptr<Workload> workload = state.Find<Workload>(attempt.workload);
  RunRules rules = workload ? workload->rules : RunRules{};
  std::optional<WarningSpec> warning;
  if (workload) warning = workload->spec->limits->warning;
  bool preempted = attempt.stop && attempt.stop->cause == EndCause::kPreempted;
  engine::StopOptions how{.signal = preempted ? static_cast<int>(rules.preempt_signal) : kTerminate,
                          .grace = rules.grace};
  const StopTasks order{attempt.id, RanksOf(attempt), how};
  if (!preempted || !warning || !RunsWhole(attempt)) return Stop(order);
  StopTasks first = order;
  first.how = {.signal = static_cast<int>(warning->signal), .grace = engine::kNeverKill};
  Stop(std::move(first));
  stop_again_.emplace(attempt.stop->at + warning->before, order);
}

void Dispatcher::Stop(StopTasks order) {
  std::erase_if(launch_again_, [&](const auto& entry) {
    const engine::TaskKey& key = entry.second;
    return key.attempt == order.attempt &&
           std::ranges::find(order.ranks, key.rank) != order.ranks.end();
  });
  Ask(std::move(order));
}

// Those of one attempt by one order.
void Dispatcher::Launch(std::vector<engine::TaskKey> keys) {
  std::ranges::sort(keys);
  std::optional<LaunchTasks> order;
  for (const engine::TaskKey& key : keys) {
    if (order && order->attempt != key.attempt) Ask(*std::exchange(order, std::nullopt));
    if (!order) order = LaunchTasks{key.attempt, {}};
    order->ranks.push_back(key.rank);
  }
  if (order) Ask(*std::move(order));
}

}  // namespace yard::control
