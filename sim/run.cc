#include "sim/run.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include <fmt/format.h>

#include "sched/backfill/kept.h"
#include "sched/forecast/carry.h"
#include "sim/fragments.h"
#include "sim/usage.h"

namespace yard::sim {
namespace {

using sched::Scheduler;
using sched::Snapshot;
using sched::WorkloadIndex;
using sched::WorkloadState;

constexpr int kMostRounds = 64;  // decisions at one moment
constexpr Micros kUsageStep = Minutes(15);

enum class EventKind : std::uint8_t { kFault, kEnd, kArrival, kWake };  // in this order

struct Event {
  Time at;
  EventKind kind = EventKind::kWake;
  std::size_t what = 0;      // a job or a fault
  std::int32_t attempt = 0;  // kEnd: void if the job has started again since
  auto operator<=>(const Event&) const = default;
};

template <class Table, class Filter>
std::map<std::string, std::int32_t> NamesOf(const Table& table, Filter counts) {
  std::map<std::string, std::int32_t> names;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (counts(table[i])) names[table[i].name] = static_cast<std::int32_t>(i);
  }
  return names;
}

bool WantsNothing(const sched::Plan& plan) {
  return plan.starts.empty() && plan.evictions.empty() && plan.moves.empty();
}

class Runner {
 public:
  Runner(const RunInput& input, const Watcher& watcher, Scheduler scheduler)
      : input_(input),
        watcher_(watcher),
        scheduler_(std::move(scheduler)),
        usage_(input.cluster.snapshot, input.cluster.half_life),
        fragments_(input.jobs),
        jobs_(input.jobs.size()) {
    result_.outcomes.resize(input.jobs.size());
    for (const sched::Node& node : snapshot().nodes) {
      capacity_milli_ += 1000 * std::ssize(node.gpus);
    }
  }

  Result<RunResult> Go() {
    YARD_TRY(PlanEvents());
    while (!events_.empty()) {
      const Time now = events_.top().at;
      Pass(now);
      while (!events_.empty() && events_.top().at == now) {
        const Event event = events_.top();
        events_.pop();
        YARD_TRY(Happen(event));
      }
      YARD_TRY(Settle());
      WakeForReservations(now);
      if (ended_ == std::ssize(input_.jobs)) break;
    }
    result_.end = snapshot().now;
    NoteWaiting();
    return std::move(result_);
  }

 private:
  struct JobState {
    std::optional<WorkloadIndex> slot;
    sched::QueueIndex queue;
    sched::UserIndex user;
    Time started;
  };

  const Snapshot& snapshot() const { return scheduler_.snapshot(); }

  Status PlanEvents() {
    YARD_TRY(PlanArrivals());
    YARD_TRY(PlanFaults());
    Time last;
    for (const Job& job : input_.jobs) last = std::max(last, job.submit + job.duration);
    const Time first = events_.top().at;
    WakeForReservations(first);
    sample_every_ = Micros(std::max<std::int64_t>((last - first).value / input_.samples, 1));
    scheduler_.SetNow(first);
    next_sample_ = first;
    usage_written_ = first;
    return {};
  }

  // When the next one begins, ends or is given back, something may start.
  void WakeForReservations(Time after) {
    const auto turn = sched::NextTurn(snapshot().reservations, after);
    if (turn && turn != turn_) events_.push({*turn, EventKind::kWake});
    turn_ = turn;
  }

  Status PlanArrivals() {
    const auto queues = NamesOf(snapshot().queues, [](const sched::Queue& queue) {
      return queue.level == sched::QueueLevel::kProject;
    });
    const auto users = NamesOf(snapshot().users, [](const sched::User&) { return true; });
    for (std::size_t j = 0; j < input_.jobs.size(); ++j) {
      const Job& job = input_.jobs[j];
      const auto project = queues.find(job.project);
      if (project == queues.end()) {
        return Fail(Code::kInvalid, fmt::format("{}: line {}: project \"{}\" is not in the cluster",
                                                input_.jobs_list, job.line, job.project));
      }
      jobs_[j].queue = sched::QueueIndex(project->second);
      jobs_[j].user = sched::UserIndex(users.at(job.user));
      events_.push({job.submit, EventKind::kArrival, j});
    }
    return {};
  }

  Status PlanFaults() {
    const auto nodes = NamesOf(snapshot().nodes, [](const sched::Node&) { return true; });
    for (std::size_t f = 0; f < input_.faults.size(); ++f) {
      const Fault& fault = input_.faults[f];
      const auto node = nodes.find(fault.node);
      if (node == nodes.end()) {
        return Fail(Code::kInvalid, fmt::format("{}: line {}: node \"{}\" is not in the cluster",
                                                input_.faults_list, fault.line, fault.node));
      }
      fault_nodes_.push_back(sched::NodeIndex(node->second));
      events_.push({fault.at, EventKind::kFault, f});
    }
    return {};
  }

  // Time goes on to `now`; until then everything stays as it is.
  void Pass(Time now) {
    if (next_sample_ < now) TakeSamples(now);
    const Micros span = now - snapshot().now;
    const double seconds = static_cast<double>(span.value) / 1e6;
    result_.capacity_gpu_s += static_cast<double>(capacity_milli_) / 1000 * seconds;
    result_.allocated_gpu_s += static_cast<double>(allocated_milli_) / 1000 * seconds;
    if (sched::LooksAtPastUsage(snapshot(), scheduler_.policy())) {
      usage_.Pass(snapshot(), span);
    }
    scheduler_.SetNow(now);
  }

  // The end is not known beforehand: with too many samples, every other one goes.
  void TakeSamples(Time until) {
    Sample sample{.capacity_milli = capacity_milli_,
                  .allocated_milli = allocated_milli_,
                  .waiting_jobs = arrived_ - ended_ - running_,
                  .running_jobs = running_,
                  .fragmented_pct = fragments_.PercentOf(snapshot())};
    auto& samples = result_.samples;
    for (; next_sample_ < until; next_sample_ = next_sample_ + sample_every_) {
      sample.at = next_sample_;
      samples.push_back(sample);
      if (std::ssize(samples) < 2 * input_.samples) continue;
      for (std::size_t i = 0; i < samples.size() / 2; ++i) samples[i] = samples[2 * i];
      samples.resize(samples.size() / 2);
      sample_every_ = sample_every_ * 2;
    }
  }

  Status Happen(const Event& event) {
    switch (event.kind) {
      case EventKind::kFault:
        return Strike(event.what);
      case EventKind::kArrival:
        return Arrive(event.what);
      case EventKind::kEnd:
        if (event.attempt == result_.outcomes[event.what].attempts) End(event.what);
        return {};
      case EventKind::kWake:
        return {};
    }
    return {};
  }

  Status Arrive(std::size_t j) {
    const Job& job = input_.jobs[j];
    sched::TaskShape shape{.gpu_count = job.gpus_per_node, .gpu_each = job.gpu_each};
    shape.cpu = job.cpu_per_node;
    shape.memory = job.memory_per_node;
    sched::Workload workload;
    workload.id = sched::WorkloadId(static_cast<std::int64_t>(j));
    workload.name = job.id;
    workload.queue = jobs_[j].queue;
    workload.user = jobs_[j].user;
    workload.preemptibility = job.preemptibility;
    workload.priority = job.priority;
    workload.groups.push_back({.shape = scheduler_.Intern(std::move(shape)), .count = job.nodes});
    workload.created = job.submit;
    workload.time_limit = job.limit;
    if (scheduler_.policy().backfill != sched::Backfill::kOff && job.limit.value == 0) {
      workload.expected_runtime = job.duration;
    }
    YARD_ASSIGN(jobs_[j].slot, scheduler_.Add(std::move(workload)));
    ++arrived_;
    return {};
  }

  void End(std::size_t j) {
    Leave(j);
    result_.outcomes[j].end = snapshot().now;
    scheduler_.Remove(*jobs_[j].slot);
    jobs_[j].slot.reset();
    ++ended_;
  }

  void Leave(std::size_t j) {
    allocated_milli_ -= input_.jobs[j].TotalGpu().value;
    --running_;
  }

  // The attempt is over and its work is lost; the job waits again.
  void Lose(std::size_t j) {
    Leave(j);
    result_.outcomes[j].lost += snapshot().now - jobs_[j].started;
    ++result_.outcomes[j].attempts;  // makes the planned end void
  }

  Status Strike(std::size_t f) {
    const sched::NodeIndex node = fault_nodes_[f];
    const sched::Node& before = snapshot().nodes[static_cast<std::size_t>(node.value)];
    const sched::NodeState state = input_.faults[f].state;
    if (before.state == state) return {};
    const std::int64_t gpus = 1000 * std::ssize(before.gpus);
    capacity_milli_ += state == sched::NodeState::kReady ? gpus : -gpus;
    if (state == sched::NodeState::kDown) Interrupt(node);
    return scheduler_.SetNodeState(node, state);
  }

  void Interrupt(sched::NodeIndex node) {
    for (std::size_t w = 0; w < snapshot().workloads.size(); ++w) {
      const sched::Workload& workload = snapshot().workloads[w];
      if (workload.state != WorkloadState::kRunning) continue;
      if (std::ranges::find(workload.tasks, node, &sched::TaskPlacement::node) ==
          workload.tasks.end()) {
        continue;
      }
      const std::size_t j = JobAt(WorkloadIndex(static_cast<std::int32_t>(w)));
      Lose(j);
      ++result_.outcomes[j].interruptions;
      ++result_.interruptions;
      scheduler_.Stop(WorkloadIndex(static_cast<std::int32_t>(w)));
    }
  }

  std::size_t JobAt(WorkloadIndex index) const {
    return static_cast<std::size_t>(
        snapshot().workloads[static_cast<std::size_t>(index.value)].id.value);
  }

  Status Settle() {
    YARD_TRY(RefreshUsage());
    for (int round = 0; round < kMostRounds; ++round) {
      const sched::Plan plan = scheduler_.Decide();
      ++result_.decisions;
      const bool watched = static_cast<bool>(watcher_);
      const Snapshot before = watched ? snapshot() : Snapshot{};
      Book(plan);
      const std::string words = watched ? Describe(plan, before) : "";
      if (Status carried = sched::Carry(scheduler_, plan); !carried) {
        return Fail(Code::kInternal, carried.error().message, words);
      }
      if (watched) {
        YARD_TRY(watcher_(Step{before, plan, snapshot(), scheduler_.policy(), arrived_, ended_}));
      }
      if (WantsNothing(plan)) return {};
    }
    return Fail(Code::kInternal, fmt::format("the plans of second {} do not come to rest",
                                             snapshot().now.micros / 1'000'000));
  }

  // Past usage reaches the scheduler in steps, since it rebuilds what follows from the queues.
  Status RefreshUsage() {
    if (!sched::LooksAtPastUsage(snapshot(), scheduler_.policy())) return {};
    if (snapshot().now - usage_written_ < kUsageStep) return {};
    Snapshot newer = snapshot();
    usage_.WriteTo(newer);
    usage_written_ = newer.now;
    return scheduler_.Rebuild(std::move(newer));
  }

  void Book(const sched::Plan& plan) {
    for (const sched::Eviction& eviction : plan.evictions) {
      const std::size_t j = JobAt(eviction.victim);
      Lose(j);
      ++result_.outcomes[j].preemptions;
      ++result_.preemptions;
    }
    result_.moves += std::ssize(plan.moves);
    for (const sched::Start& start : plan.starts) Begin(JobAt(start.workload));
  }

  void Begin(std::size_t j) {
    const Time now = snapshot().now;
    JobOutcome& outcome = result_.outcomes[j];
    if (!outcome.first_start) outcome.first_start = now;
    jobs_[j].started = now;
    allocated_milli_ += input_.jobs[j].TotalGpu().value;
    ++running_;
    events_.push({now + input_.jobs[j].duration, EventKind::kEnd, j, outcome.attempts});
    for (Micros guard :
         {scheduler_.policy().reclaim_min_runtime, scheduler_.policy().preempt_min_runtime}) {
      if (guard.value > 0) events_.push({now + guard, EventKind::kWake});
    }
  }

  // Nothing more will happen: whoever waits now waits for ever.
  void NoteWaiting() {
    for (JobOutcome& outcome : result_.outcomes) {
      if (outcome.end) ++outcome.attempts;  // the last one counts too
    }
    for (const sched::Refusal& refusal : scheduler_.Decide().refusals) {
      result_.outcomes[JobAt(refusal.first)].why_waiting = Sentence(refusal.reason, snapshot());
    }
  }

  const RunInput& input_;
  const Watcher& watcher_;
  Scheduler scheduler_;
  DecayedUsage usage_;
  Fragments fragments_;
  RunResult result_;
  std::vector<JobState> jobs_;
  std::vector<sched::NodeIndex> fault_nodes_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::int64_t capacity_milli_ = 0;
  std::int64_t allocated_milli_ = 0;
  std::int64_t arrived_ = 0;
  std::int64_t running_ = 0;
  std::int64_t ended_ = 0;
  Micros sample_every_{1};
  Time next_sample_;
  Time usage_written_;
  std::optional<Time> turn_;  // of a reservation: to be woken at
};

}  // namespace

Result<RunResult> Run(const RunInput& input, const Watcher& watcher) {
  Snapshot snapshot = input.cluster.snapshot;
  std::set<std::string_view> seen;
  for (const Job& job : input.jobs) {
    if (seen.insert(job.user).second) snapshot.users.push_back({.name = job.user});
  }
  YARD_ASSIGN(Scheduler scheduler, Scheduler::Create(std::move(snapshot), input.cluster.policy));
  return Runner(input, watcher, std::move(scheduler)).Go();
}

}  // namespace yard::sim
