#include "engine/sim/sim_world.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/sim/pretended_use.h"
#include "engine/warning.h"

namespace yard::engine {

NodeState SimNode(const std::string& name, MilliCpu cpu, Mebibytes memory,
                  const std::vector<GpuState>& gpus) {
  NodeState node;
  node.name = name;
  node.cpu = cpu;
  node.memory = memory;
  node.gpus = gpus;
  for (GpuState& gpu : node.gpus) gpu.declared = true;
  node.labels = {{"gpuyard.io/engine", "sim"}};
  return node;
}

SimWorld::SimWorld(std::vector<NodeState> nodes, const Clock& clock, Pretence pretence)
    : clock_(clock), pretence_(pretence), nodes_(std::move(nodes)) {}

SimWorld::~SimWorld() {
  {
    std::lock_guard hold(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SimWorld::StartThread() {
  thread_ = std::thread([this] { Loop(); });
}

void SimWorld::Loop() {
  for (;;) {
    Run();
    std::unique_lock hold(mutex_);
    if (stop_) return;
    const std::optional<Time> due = DueLocked();
    const std::int64_t wait =
        due ? std::max<std::int64_t>((*due - clock_.Now()).value, 0) : 1'000'000;
    if (wait > 0 && outbox_.empty() && grown_.empty() && !nodes_changed_)
      changed_.wait_for(hold, std::chrono::microseconds(wait));
  }
}

std::optional<Time> SimWorld::DueLocked() const {
  if (due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

// To be called after whatever may change when something is due for the task.
void SimWorld::ArmLocked(Task& task) {
  if (task.armed) due_.erase({*task.armed, task.spec.key});
  task.armed.reset();
  if (task.status.state == TaskState::kEnded) return;
  task.armed = task.kill_at ? std::min(*task.kill_at, task.due) : task.due;
  due_.emplace(*task.armed, task.spec.key);
}

std::optional<Time> SimWorld::NextDue() const {
  std::lock_guard hold(mutex_);
  return DueLocked();
}

std::optional<Time> SimWorld::NextEnd() const {
  std::lock_guard hold(mutex_);
  std::optional<Time> end;
  for (const auto& [key, task] : tasks_) {
    if (task.status.state == TaskState::kEnded) continue;
    if (!end || task.ends_at < *end) end = task.ends_at;
  }
  return end;
}

void SimWorld::Run() {
  {
    std::lock_guard hold(mutex_);
    const Time now = clock_.Now();
    while (!due_.empty() && due_.begin()->first <= now) {
      Task& task = tasks_.at(due_.begin()->second);
      while (StepLocked(task, now)) {
      }
      ArmLocked(task);
    }
  }
  Deliver();
}

// One thing that is due; false if none is.
bool SimWorld::StepLocked(Task& task, Time now) {
  if (task.status.state == TaskState::kEnded) return false;
  if (task.kill_at && *task.kill_at <= std::min(task.due, now)) {
    EndLocked(task, {EndCause::kSignal, {}, 9, "killed after its grace period", *task.kill_at});
    return true;
  }
  if (task.due > now) return false;
  if (task.status.state == TaskState::kStarting) {
    task.status.state = TaskState::kRunning;
    task.status.started_at = task.due;
    TellLocked(task);
    return true;
  }
  if (task.at < task.script.size()) {
    ActLocked(task, task.script[task.at++]);
  } else {
    EndLocked(task, {EndCause::kCompleted, 0, {}, "the command ended well", task.due});
  }
  return true;
}

void SimWorld::ActLocked(Task& task, const Action& action) {
  switch (action.kind) {
    case ActionKind::kSleep:
      task.due = task.due + action.pause;
      return;
    case ActionKind::kEcho:
      task.times.emplace_back(task.due, static_cast<std::int64_t>(task.log.size()));
      task.log += action.text;
      grown_.insert(task.spec.key);
      return;
    case ActionKind::kExit:
      return EndLocked(task, {action.number == 0 ? EndCause::kCompleted : EndCause::kExit,
                              action.number,
                              {},
                              fmt::format("the command exited with code {}", action.number),
                              task.due});
    case ActionKind::kKill:
      return EndLocked(task, {EndCause::kSignal,
                              {},
                              action.number,
                              fmt::format("the command was ended by signal {}", action.number),
                              task.due});
    case ActionKind::kIgnoreTerm:
      task.ignores_term = true;
      return;
    case ActionKind::kOutOfMemory:
      return EndLocked(task, {EndCause::kOutOfMemory, {}, 9, "it used too much memory", task.due});
  }
}

void SimWorld::EndLocked(Task& task, TaskEnd end) {
  task.status.state = TaskState::kEnded;
  task.status.end = std::move(end);
  grown_.insert(task.spec.key);
  TellLocked(task);
}

void SimWorld::TellLocked(const Task& task) {
  if (listener_) outbox_.push_back(task.status);
}

// Outside the lock, one deliverer at a time, so that the order stays.
void SimWorld::Deliver() {
  std::lock_guard one(delivering_);
  std::unique_lock hold(mutex_);
  const std::optional<Listener> listener = listener_;
  const std::vector<TaskStatus> words = std::exchange(outbox_, {});
  std::optional<std::vector<NodeState>> nodes;
  if (std::exchange(nodes_changed_, false)) nodes = nodes_;
  std::vector<std::function<void()>> calls;
  for (const auto& [number, watch] : watches_)
    if (grown_.contains(watch.key)) calls.push_back(watch.grown);
  grown_.clear();
  hold.unlock();
  for (const TaskStatus& word : words)
    if (listener && listener->on_task) listener->on_task(word);
  if (nodes && listener && listener->on_nodes) listener->on_nodes(*nodes);
  for (const auto& call : calls) call();
}

void SimWorld::RefuseLaunches(std::optional<Error> error) {
  std::lock_guard hold(mutex_);
  refusal_ = std::move(error);
}

void SimWorld::LoseNode(const std::string& name, const std::string& why) {
  {
    std::lock_guard hold(mutex_);
    for (NodeState& node : nodes_) {
      if (node.name != name) continue;
      node.ready = false;
      node.message = why;
    }
    for (auto& [key, task] : tasks_) {
      if (task.spec.node != name || task.status.state == TaskState::kEnded) continue;
      EndLocked(task, {EndCause::kNodeLost, {}, {}, why, clock_.Now()});
      ArmLocked(task);
    }
    nodes_changed_ = true;
  }
  changed_.notify_all();
}

void SimWorld::RestoreNode(const std::string& name) {
  {
    std::lock_guard hold(mutex_);
    for (NodeState& node : nodes_) {
      if (node.name != name) continue;
      node.ready = true;
      node.message.clear();
    }
    nodes_changed_ = true;
  }
  changed_.notify_all();
}

void SimWorld::BreakGpu(const std::string& uuid, const std::string& fault) {
  {
    std::lock_guard hold(mutex_);
    for (NodeState& node : nodes_)
      for (GpuState& gpu : node.gpus)
        if (gpu.uuid == uuid) gpu.fault = fault;
    nodes_changed_ = true;
  }
  changed_.notify_all();
}

// GPUs that no driver is said to see stay without figures.
std::vector<NodeState> SimWorld::nodes() const {
  std::lock_guard hold(mutex_);
  std::vector<NodeState> seen = nodes_;
  if (pretence_ == Pretence::kNone) return seen;
  std::unordered_map<std::string_view, NodeState*> by_name;
  for (NodeState& node : seen) {
    by_name[node.name] = &node;
    for (GpuState& gpu : node.gpus) {
      if (gpu.declared) continue;
      gpu.busy_percent = 0;
      gpu.used = Mebibytes(0);
    }
  }
  for (const auto& [key, task] : tasks_) {
    auto node = by_name.find(task.spec.node);
    if (task.status.state != TaskState::kRunning || node == by_name.end()) continue;
    const Time started = task.status.started_at.value_or(clock_.Now());
    AddPretendedUse(task.spec, started, clock_.Now(), *node->second);
  }
  return seen;
}

TaskUsage SimWorld::UsageOf(const TaskKey& key) const {
  std::lock_guard hold(mutex_);
  TaskUsage none;
  none.key = key;
  auto found = tasks_.find(key);
  if (pretence_ == Pretence::kNone || found == tasks_.end()) return none;
  const TaskStatus& status = found->second.status;
  if (!status.started_at || status.end) return none;
  return PretendedUse(found->second.spec, *status.started_at, clock_.Now());
}

std::vector<TaskStatus> SimWorld::Listen(std::optional<Listener> listener) {
  std::lock_guard one(delivering_);
  std::lock_guard hold(mutex_);
  listener_ = std::move(listener);
  outbox_.clear();
  std::vector<TaskStatus> all;
  for (const auto& [key, task] : tasks_) all.push_back(task.status);
  return all;
}

SimWorld::Task* SimWorld::FindLocked(const TaskKey& key) {
  auto found = tasks_.find(key);
  return found == tasks_.end() ? nullptr : &found->second;
}

Status SimWorld::Launch(TaskSpec spec) {
  {
    std::lock_guard hold(mutex_);
    if (FindLocked(spec.key) != nullptr) return {};
    if (refusal_) return Fail(*refusal_);
    YARD_TRY(TakeLocked(std::move(spec)));
  }
  changed_.notify_all();
  return {};
}

Status SimWorld::TakeLocked(TaskSpec spec) {
  auto node = std::ranges::find(nodes_, spec.node, &NodeState::name);
  if (!spec.node.empty() && node == nodes_.end())
    return Fail(Code::kInvalid, fmt::format("there is no node '{}' here", spec.node));
  if (!spec.node.empty() && !node->ready) return Fail(Code::kUnavailable, node->message);
  Task task;
  task.spec = std::move(spec);
  task.status.key = task.spec.key;
  task.status.state = TaskState::kStarting;
  task.due = clock_.Now();
  Result<std::vector<Action>> script = ReadScript(task.spec, pretence_);
  if (script) {
    task.script = std::move(*script);
    task.ends_at = task.due + LengthOf(task.script);
  } else {
    EndLocked(task, {EndCause::kLaunchFailed, {}, {}, script.error().message, task.due});
  }
  const TaskKey key = task.spec.key;
  ArmLocked(tasks_.emplace(key, std::move(task)).first->second);
  return {};
}

Status SimWorld::Stop(const TaskKey& key, const StopOptions& options) {
  {
    std::lock_guard hold(mutex_);
    Task* task = FindLocked(key);
    if (task == nullptr) return Fail(Code::kNotFound, "this engine does not know the task");
    if (task->status.state == TaskState::kEnded) return {};
    if (options.grace == kNeverKill) return {};  // a warning: simulated work has no handler
    const Time now = clock_.Now();
    const bool obeys = options.signal == 9 || !task->ignores_term;
    if (options.grace.value > 0 && obeys) {
      EndLocked(*task, {EndCause::kSignal, {}, options.signal, "stopped", now});
    } else {
      const Time at = now + options.grace;
      task->kill_at = task->kill_at ? std::min(*task->kill_at, at) : at;
    }
    ArmLocked(*task);
  }
  changed_.notify_all();
  return {};
}

TaskStatus SimWorld::StatusOf(const TaskKey& key) const {
  std::lock_guard hold(mutex_);
  auto found = tasks_.find(key);
  if (found != tasks_.end()) return found->second.status;
  TaskStatus unknown;
  unknown.key = key;
  return unknown;
}

void SimWorld::Forget(const TaskKey& key) {
  std::lock_guard hold(mutex_);
  Task* task = FindLocked(key);
  if (task != nullptr && task->status.state == TaskState::kEnded) tasks_.erase(key);
}

Result<LogChunk> SimWorld::ReadLog(const TaskKey& key, std::int64_t offset,
                                   std::size_t limit) const {
  std::lock_guard hold(mutex_);
  auto found = tasks_.find(key);
  if (found == tasks_.end()) return Fail(Code::kNotFound, "this engine does not know the task");
  const Task& task = found->second;
  const auto size = static_cast<std::int64_t>(task.log.size());
  LogChunk chunk;
  chunk.offset = std::clamp<std::int64_t>(offset, 0, size);
  chunk.bytes = task.log.substr(static_cast<std::size_t>(chunk.offset), limit);
  chunk.next = chunk.offset + static_cast<std::int64_t>(chunk.bytes.size());
  chunk.at_end = chunk.next == size && task.status.state == TaskState::kEnded;
  return chunk;
}

Result<std::int64_t> SimWorld::LogOffsetAt(const TaskKey& key, Time at) const {
  std::lock_guard hold(mutex_);
  auto found = tasks_.find(key);
  if (found == tasks_.end()) return Fail(Code::kNotFound, "this engine does not know the task");
  for (const auto& [time, offset] : found->second.times)
    if (time >= at) return offset;
  return static_cast<std::int64_t>(found->second.log.size());
}

Result<std::uint64_t> SimWorld::WatchLog(const TaskKey& key, std::function<void()> grown) {
  std::uint64_t number = 0;
  {
    std::lock_guard hold(mutex_);
    if (FindLocked(key) == nullptr)
      return Fail(Code::kNotFound, "this engine does not know the task");
    number = next_watch_++;
    watches_[number] = {key, std::move(grown)};
    grown_.insert(key);
  }
  changed_.notify_all();
  return number;
}

void SimWorld::UnwatchLog(std::uint64_t watch) {
  std::lock_guard one(delivering_);
  std::lock_guard hold(mutex_);
  watches_.erase(watch);
}

}  // namespace yard::engine
