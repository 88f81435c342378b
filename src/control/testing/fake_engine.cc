#include "control/testing/fake_engine.h"

#include <algorithm>

#include "engine/warning.h"
#include "model/run_rules.h"

namespace yard::control {
namespace {

using engine::TaskKey;
using engine::TaskState;
using engine::TaskStatus;

std::unexpected<Error> Missing() {
  return Fail(Code::kNotFound, "the engine does not know the task");
}

std::unexpected<Error> NotHere() {
  return Fail(Code::kUnsupported, "this engine has no machines");
}

}  // namespace

void FakeEngine::AddNode(std::string name, int gpus, MilliCpu cpu) {
  engine::NodeState node{.name = name, .cpu = cpu, .memory = Mebibytes(1 << 20)};
  for (int i = 0; i < gpus; ++i) {
    node.gpus.push_back({.uuid = name + "-gpu" + std::to_string(i),
                         .model = "A100",
                         .memory = Mebibytes(40960),
                         .declared = true});
  }
  std::lock_guard lock(mutex_);
  nodes_.push_back(std::move(node));
}

void FakeEngine::SetReady(const std::string& name, bool ready) {
  SetReadySilently(name, ready);
  engine::Listener told;
  std::vector<engine::NodeState> nodes;
  {
    std::lock_guard lock(mutex_);
    told = listener_;
    nodes = nodes_;
  }
  if (told.on_nodes) told.on_nodes(nodes);
}

void FakeEngine::SetReadySilently(const std::string& name, bool ready) {
  std::lock_guard lock(mutex_);
  for (engine::NodeState& node : nodes_) {
    if (node.name == name) node.ready = ready;
  }
}

void FakeEngine::Behave(OnLaunch launch, OnStop stop) {
  std::lock_guard lock(mutex_);
  on_launch_ = launch;
  on_stop_ = stop;
}

void FakeEngine::RefuseLaunches(std::optional<Error> error) {
  std::lock_guard lock(mutex_);
  refusal_ = std::move(error);
}

void FakeEngine::RefuseStops(std::optional<Error> error) {
  std::lock_guard lock(mutex_);
  stop_refusal_ = std::move(error);
}

void FakeEngine::RefuseParks(std::optional<Error> error) {
  std::lock_guard lock(mutex_);
  park_refusal_ = std::move(error);
}

void FakeEngine::RefuseUnparks(std::optional<Error> error) {
  std::lock_guard lock(mutex_);
  unpark_refusal_ = std::move(error);
}

void FakeEngine::ForgetParking() {
  std::lock_guard lock(mutex_);
  parking_ = false;
}

void FakeEngine::BeforeNodesAnswer(std::function<void()> hook) {
  std::lock_guard lock(mutex_);
  before_nodes_answer_ = std::move(hook);
}

void FakeEngine::LoseContactSilently(std::optional<Error> error) {
  std::lock_guard lock(mutex_);
  lost_ = std::move(error);
}

void FakeEngine::LoseContact(std::optional<Error> error) {
  LoseContactSilently(error);
  engine::Listener told;
  std::vector<engine::NodeState> nodes;
  {
    std::lock_guard lock(mutex_);
    told = listener_;
    nodes = nodes_;
  }
  if (error && told.on_lost) told.on_lost(*error);
  if (!error && told.on_nodes) told.on_nodes(nodes);
}

void FakeEngine::Tell(const TaskStatus& status) const {
  if (listener_.on_task && !frozen_ && !lost_) listener_.on_task(status);
}

void FakeEngine::Freeze() {
  std::lock_guard lock(mutex_);
  frozen_ = true;
}

void FakeEngine::FreezeAfter(int calls) {
  std::lock_guard lock(mutex_);
  calls_left_ = calls;
}

bool FakeEngine::Frozen() {
  if (calls_left_ && (*calls_left_)-- <= 0) frozen_ = true;
  return frozen_;
}

void FakeEngine::Revive() {
  std::lock_guard lock(mutex_);
  calls_left_.reset();
  frozen_ = false;
}

void FakeEngine::RunLocked(Task& task) {
  if (task.status.state > TaskState::kStarting) return;
  task.status.state = TaskState::kRunning;
  task.status.started_at = clock_.Now();
  Tell(task.status);
}

void FakeEngine::EndLocked(Task& task, EndCause cause, std::optional<std::int32_t> code) {
  if (task.status.end) return;
  task.status.state = TaskState::kEnded;
  task.status.end = engine::TaskEnd{.cause = cause, .exit_code = code, .at = clock_.Now()};
  if (cause == EndCause::kSignal) task.status.end->signal = kTerminate;
  Tell(task.status);
}

void FakeEngine::Run(const TaskKey& key) {
  std::lock_guard lock(mutex_);
  RunLocked(tasks_.at(key));
}

void FakeEngine::End(const TaskKey& key, EndCause cause, std::optional<std::int32_t> code) {
  std::lock_guard lock(mutex_);
  EndLocked(tasks_.at(key), cause, code);
}

void FakeEngine::Lose(const TaskKey& key) {
  std::lock_guard lock(mutex_);
  tasks_.erase(key);
}

std::vector<TaskKey> FakeEngine::Live() const {
  std::lock_guard lock(mutex_);
  std::vector<TaskKey> keys;
  for (const auto& [key, task] : tasks_) {
    if (!task.status.end) keys.push_back(key);
  }
  return keys;
}

std::optional<FakeEngine::Task> FakeEngine::Find(const TaskKey& key) const {
  std::lock_guard lock(mutex_);
  auto at = tasks_.find(key);
  return at == tasks_.end() ? std::nullopt : std::optional(at->second);
}

std::size_t FakeEngine::launches() const {
  std::lock_guard lock(mutex_);
  return launches_;
}

std::size_t FakeEngine::gangs() const {
  std::lock_guard lock(mutex_);
  return gangs_;
}

std::size_t FakeEngine::calls() const {
  std::lock_guard lock(mutex_);
  return calls_;
}

std::size_t FakeEngine::forgotten() const {
  std::lock_guard lock(mutex_);
  return forgotten_;
}

engine::Capabilities FakeEngine::capabilities() const {
  std::lock_guard lock(mutex_);
  return {.name = "fake",
          .processes = true,
          .containers = true,
          .parking = parking_,
          .parking_missing = parking_ ? "" : "its driver knows no checkpoints"};
}

Result<std::vector<engine::NodeState>> FakeEngine::Nodes() {
  std::unique_lock lock(mutex_);
  Result<std::vector<engine::NodeState>> answer = nodes_;
  if (lost_) answer = Fail(*lost_);
  const std::function<void()> hook = before_nodes_answer_;
  lock.unlock();
  if (hook) hook();
  return answer;
}

Result<std::vector<TaskStatus>> FakeEngine::Adopt(engine::Listener listener) {
  std::lock_guard lock(mutex_);
  if (lost_) return Fail(*lost_);
  listener_ = std::move(listener);
  std::vector<TaskStatus> all;
  for (const auto& [key, task] : tasks_) all.push_back(task.status);
  return all;
}

Status FakeEngine::Launch(engine::TaskSpec spec) {
  std::lock_guard lock(mutex_);
  if (Frozen()) return {};
  ++calls_;
  if (lost_) return Fail(*lost_);
  if (refusal_) return Fail(*refusal_);
  auto [at, is_new] = tasks_.try_emplace(spec.key);
  if (!is_new) return {};
  ++launches_;
  const bool queues = on_launch_ == OnLaunch::kQueue;
  at->second.status = {.key = spec.key,
                       .state = queues ? TaskState::kQueued : TaskState::kStarting};
  at->second.spec = std::move(spec);
  Tell(at->second.status);
  if (on_launch_ == OnLaunch::kRun || on_launch_ == OnLaunch::kComplete) RunLocked(at->second);
  if (on_launch_ == OnLaunch::kComplete) EndLocked(at->second, EndCause::kCompleted, 0);
  return {};
}

std::vector<Status> FakeEngine::LaunchGang(std::vector<engine::TaskSpec> specs) {
  {
    std::lock_guard lock(mutex_);
    ++gangs_;
  }
  return Engine::LaunchGang(std::move(specs));
}

Status FakeEngine::SetGpuLimits(const engine::TaskKey& key,
                                std::span<const engine::GpuGrant> gpus) {
  std::lock_guard lock(mutex_);
  auto task = tasks_.find(key);
  if (task == tasks_.end()) return Fail(Code::kNotFound, "no such task");
  task->second.spec.gpus.assign(gpus.begin(), gpus.end());
  return {};
}

Result<FakeEngine::Task*> FakeEngine::ToMove(const TaskKey& key,
                                             const std::optional<Error>& refusal) {
  ++parks_;
  auto task = tasks_.find(key);
  if (task == tasks_.end() || task->second.status.end) return Missing();
  if (refusal) return Fail(*refusal);
  return &task->second;
}

Status FakeEngine::Park(const TaskKey& key) {
  std::lock_guard lock(mutex_);
  YARD_ASSIGN(Task * task, ToMove(key, park_refusal_));
  task->parked = true;
  return {};
}

Status FakeEngine::Unpark(const TaskKey& key) {
  std::lock_guard lock(mutex_);
  // Only the answer of such a call is lost: it takes effect.
  const bool is_lost = unpark_refusal_ && unpark_refusal_->code == Code::kUnavailable;
  YARD_ASSIGN(Task * task, ToMove(key, is_lost ? std::nullopt : unpark_refusal_));
  task->parked = false;
  if (is_lost) return Fail(*unpark_refusal_);
  return {};
}

std::size_t FakeEngine::parks() const {
  std::lock_guard lock(mutex_);
  return parks_;
}

void FakeEngine::Say(const engine::TaskNote& note) {
  std::function<void(const engine::TaskNote&)> tell;
  {
    std::lock_guard lock(mutex_);
    tell = listener_.on_note;
  }
  if (tell) tell(note);
}

Status FakeEngine::Stop(const TaskKey& key, const engine::StopOptions& options) {
  std::lock_guard lock(mutex_);
  if (Frozen()) return {};
  ++calls_;
  if (lost_) return Fail(*lost_);
  if (stop_refusal_) return Fail(*stop_refusal_);
  auto at = tasks_.find(key);
  if (at == tasks_.end()) return {};
  ++at->second.stops;
  at->second.stop = options;
  if (options.grace == engine::kNeverKill) return {};
  if (on_stop_ == OnStop::kEnd) EndLocked(at->second, EndCause::kSignal, std::nullopt);
  return {};
}

std::vector<TaskStatus> FakeEngine::StatusOf(std::span<const TaskKey> keys) {
  std::lock_guard lock(mutex_);
  std::vector<TaskStatus> all;
  if (lost_) return all;
  for (const TaskKey& key : keys) {
    auto at = tasks_.find(key);
    // What is frozen is not lost: nothing may be concluded from its silence.
    TaskStatus unknown{.key = key, .state = frozen_ ? TaskState::kStarting : TaskState::kUnknown};
    all.push_back(at == tasks_.end() ? unknown : at->second.status);
  }
  return all;
}

std::vector<engine::TaskUsage> FakeEngine::UsageOf(std::span<const TaskKey> keys) {
  std::lock_guard lock(mutex_);
  std::vector<engine::TaskUsage> all;
  if (lost_) return all;
  for (const TaskKey& key : keys) {
    auto said = usage_.find(key);
    all.push_back(said == usage_.end() ? engine::TaskUsage{.key = key} : said->second);
  }
  return all;
}

void FakeEngine::Use(const engine::TaskUsage& usage) {
  std::lock_guard lock(mutex_);
  usage_[usage.key] = usage;
}

void FakeEngine::Forget(const TaskKey& key) {
  std::lock_guard lock(mutex_);
  if (frozen_ || lost_) return;
  forgotten_ += tasks_.erase(key);
}

Result<engine::LogChunk> FakeEngine::ReadLog(const TaskKey& key, std::int64_t offset, std::size_t) {
  std::lock_guard lock(mutex_);
  if (!tasks_.contains(key)) return Missing();
  return engine::LogChunk{.offset = offset, .bytes = "log of rank " + std::to_string(key.rank)};
}

Result<std::int64_t> FakeEngine::LogOffsetAt(const TaskKey&, Time) {
  return 0;
}

Result<std::unique_ptr<engine::LogWatch>> FakeEngine::WatchLog(const TaskKey&,
                                                               std::function<void()>) {
  return NotHere();
}

}  // namespace yard::control
