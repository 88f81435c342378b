#include "sched/scheduler.h"

#include <fmt/format.h>

#include "sched/core/core.h"
#include "sched/core/trial.h"
#include "sched/decide.h"
#include "sched/validate.h"

namespace yard::sched {

Result<Scheduler> Scheduler::Create(Snapshot snapshot, Policy policy) {
  YARD_TRY(Validate(snapshot));
  return Scheduler(std::make_unique<Core>(std::move(snapshot), policy));
}

Scheduler::Scheduler(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Scheduler::Scheduler(Scheduler&&) noexcept = default;
Scheduler& Scheduler::operator=(Scheduler&&) noexcept = default;
Scheduler::~Scheduler() = default;

const Snapshot& Scheduler::snapshot() const {
  return core_->snapshot();
}

const Policy& Scheduler::policy() const {
  return core_->policy();
}

Plan Scheduler::Decide() {
  return sched::Decide(*core_);
}

void Scheduler::SetNow(Time now) {
  core_->SetNow(now);
}

Status Scheduler::CheckRoom(const Workload& workload, std::span<const TaskPlacement> tasks) {
  Trial trial(*core_);
  for (const TaskPlacement& task : tasks) {
    const TaskShape& shape =
        core_->ShapeAt(workload.groups[static_cast<std::size_t>(task.group)].shape);
    if (!core_->nodes().CanTake(shape, task)) {
      const Node& node = snapshot().nodes[static_cast<std::size_t>(task.node.value)];
      return Fail(Code::kConflict,
                  fmt::format("workload {} does not fit on node {}", workload.name, node.name),
                  "decide again on the newer state");
    }
    trial.Take(shape, task);
  }
  return {};
}

Result<WorkloadIndex> Scheduler::Add(Workload workload) {
  YARD_TRY(ValidateWorkload(snapshot(), workload, snapshot().workloads.size()));
  if (workload.state == WorkloadState::kRunning) YARD_TRY(CheckRoom(workload, workload.tasks));
  return core_->Add(std::move(workload));
}

Status Scheduler::Replace(WorkloadIndex at, Workload workload) {
  YARD_TRY(ValidateWorkload(snapshot(), workload, static_cast<std::size_t>(at.value)));
  Workload before = core_->At(at);
  core_->Remove(at);
  if (workload.state == WorkloadState::kRunning) {
    if (auto room = CheckRoom(workload, workload.tasks); !room) {
      core_->Add(std::move(before));
      return room;
    }
  }
  core_->Add(std::move(workload));
  return {};
}

void Scheduler::Remove(WorkloadIndex at) {
  core_->Remove(at);
}

Status Scheduler::Start(WorkloadIndex at, std::vector<TaskPlacement> tasks) {
  Workload started = core_->At(at);
  if (started.state < WorkloadState::kPending) {
    return Fail(Code::kPrecondition, fmt::format("workload {} does not wait", started.name));
  }
  if (started.state == WorkloadState::kPromised) started.tasks.clear();
  started.state = WorkloadState::kRunning;
  started.tasks.insert(started.tasks.end(), tasks.begin(), tasks.end());
  YARD_TRY(ValidateWorkload(snapshot(), started, static_cast<std::size_t>(at.value)));
  YARD_TRY(CheckRoom(started, tasks));
  core_->Start(at, std::move(tasks));
  return {};
}

Status Scheduler::Promise(WorkloadIndex at, std::vector<TaskPlacement> tasks,
                          std::span<const WorkloadIndex> victims) {
  Workload promised = core_->At(at);
  if (promised.state != WorkloadState::kPending) {
    return Fail(Code::kPrecondition, fmt::format("workload {} does not wait", promised.name));
  }
  for (WorkloadIndex victim : victims) {
    const Workload& running = core_->At(victim);
    if (running.state == WorkloadState::kRunning && !running.rare->leaving_for) continue;
    return Fail(Code::kPrecondition, fmt::format("workload {} cannot give way", running.name));
  }
  promised.state = WorkloadState::kPromised;
  promised.tasks = tasks;
  YARD_TRY(ValidateWorkload(snapshot(), promised, static_cast<std::size_t>(at.value)));
  core_->Promise(at, std::move(tasks), victims);
  return {};
}

Status Scheduler::Restart(WorkloadIndex at, std::vector<TaskPlacement> tasks) {
  Workload restarted = core_->At(at);
  if (restarted.state != WorkloadState::kRunning || restarted.rare->leaving_for) {
    return Fail(Code::kPrecondition, fmt::format("workload {} cannot leave", restarted.name));
  }
  restarted.rare.Edit().head = {snapshot().now, tasks};
  YARD_TRY(ValidateWorkload(snapshot(), restarted, static_cast<std::size_t>(at.value)));
  core_->Restart(at, std::move(tasks));
  return {};
}

void Scheduler::Withdraw(WorkloadIndex at) {
  core_->Withdraw(at);
}

void Scheduler::SetHeads(std::span<const Head> heads) {
  core_->SetHeads(heads);
}

void Scheduler::Stop(WorkloadIndex at) {
  core_->Stop(at);
}

ShapeIndex Scheduler::Intern(TaskShape shape) {
  return core_->Intern(std::move(shape));
}

Status Scheduler::SetNodeState(NodeIndex node, NodeState state) {
  if (node.value < 0 || static_cast<std::size_t>(node.value) >= snapshot().nodes.size()) {
    return Fail(Code::kNotFound, fmt::format("node {} does not exist", node.value));
  }
  core_->SetNodeState(node, state);
  return {};
}

Status Scheduler::Rebuild(Snapshot snapshot) {
  YARD_TRY(Validate(snapshot));
  *core_ = Core(std::move(snapshot), core_->policy());
  return {};
}

}  // namespace yard::sched
