#include "serversim/cluster.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/uuid.h"

namespace yard::serversim {
namespace {

using engine::TaskKey;
using engine::TaskState;
using engine::TaskStatus;

std::unexpected<Error> OutOfReach() {
  return Fail(Code::kUnavailable, "the simulated cluster is out of reach");
}

std::string NameOf(const TaskKey& key) {
  return fmt::format("rank {} of attempt {}", key.rank, FormatUuid(key.attempt.value));
}

}  // namespace

Cluster::Cluster(Schedule& schedule, const Clock& clock, const Disk& disk, SeededRandom& random)
    : schedule_(schedule), clock_(clock), disk_(disk), random_(random) {}

void Cluster::AddNode(const std::string& name, int gpus) {
  engine::NodeState node{.name = name, .cpu = MilliCpu(32'000), .memory = Mebibytes(256 * 1024)};
  for (int i = 0; i < gpus; ++i) {
    node.gpus.push_back({.uuid = fmt::format("{}-gpu{}", name, i),
                         .model = "A100",
                         .memory = Mebibytes(40960),
                         .declared = true});
  }
  nodes_.push_back(std::move(node));
}

// What runs on a machine that goes down is lost.
void Cluster::SetReady(const std::string& name, bool ready) {
  for (engine::NodeState& node : nodes_) {
    if (node.name == name) node.ready = ready;
  }
  if (ready) return;
  std::vector<TaskKey> lost;
  for (const TaskKey& key : live_) {
    if (tasks_.at(key).node == name) lost.push_back(key);
  }
  for (const TaskKey& key : lost) End(key, EndCause::kNodeLost, std::nullopt);
}

bool Cluster::HasEnded(const TaskKey& key) const {
  auto at = tasks_.find(key);
  return at != tasks_.end() && at->second.status.end;
}

void Cluster::Breach(std::string what) {
  if (breach_.empty()) breach_ = std::move(what);
}

Micros Cluster::UpTo(std::int64_t seconds) {
  return Micros(
      static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(Seconds(seconds).value))));
}

engine::Capabilities Cluster::capabilities() const {
  return {.name = "sim",
          .processes = true,
          .containers = true,
          .container_daemon = "simulated",
          .memory_limits = true,
          .cpu_limits = true,
          .parking = true};
}

Result<std::vector<engine::NodeState>> Cluster::Nodes() {
  if (!reachable_) return OutOfReach();
  return nodes_;
}

Result<std::vector<TaskStatus>> Cluster::Adopt(engine::Listener) {
  if (!reachable_) return OutOfReach();
  std::vector<TaskStatus> all;
  all.reserve(tasks_.size());
  for (const auto& [key, task] : tasks_) all.push_back(task.status);
  return all;
}

// No GPU is given twice.
void Cluster::CheckBooking(const TaskKey& taker, const std::vector<engine::GpuGrant>& gpus) {
  std::map<std::string, std::int64_t> booked;
  for (const TaskKey& key : live_) {
    const Task& task = tasks_.at(key);
    if (task.parked || key == taker) continue;
    for (const engine::GpuGrant& gpu : task.gpus) booked[gpu.uuid] += gpu.part.value;
  }
  for (const engine::GpuGrant& gpu : gpus) {
    if ((booked[gpu.uuid] += gpu.part.value) > 1000) {
      Breach(fmt::format("GPU {} is booked twice, the second time by {}", gpu.uuid, NameOf(taker)));
    }
  }
}

Status Cluster::Launch(engine::TaskSpec spec) {
  if (!reachable_) return OutOfReach();
  const TaskKey key = spec.key;
  if (!disk_.Holds(key.attempt)) Breach(NameOf(key) + " is launched before it is durable");
  if (forgotten_.contains(key)) Breach(NameOf(key) + " is launched after it was forgotten");
  if (tasks_.contains(key)) return {};
  CheckBooking(key, spec.gpus);
  live_.insert(key);
  Task& task = tasks_[key];
  task.status = {.key = key, .state = TaskState::kStarting};
  task.node = spec.node;
  task.gpus = std::move(spec.gpus);
  auto node = std::ranges::find(nodes_, task.node, &engine::NodeState::name);
  if (node == nodes_.end() || !node->ready || random_.Below(40) == 0) {
    schedule_.In(UpTo(1), [this, key] { End(key, EndCause::kLaunchFailed, std::nullopt); });
    return {};
  }
  schedule_.In(UpTo(5), [this, key] { Start(key); });
  return {};
}

void Cluster::Start(const TaskKey& key) {
  auto at = tasks_.find(key);
  if (at == tasks_.end() || at->second.status.end) return;
  TaskStatus& status = at->second.status;
  status.state = TaskState::kRunning;
  status.started_at = clock_.Now();
  on_status(status);
  const bool fails = random_.Below(4) == 0;
  schedule_.In(UpTo(random_.Below(5) == 0 ? 3600 : 60), [this, key, fails] {
    End(key, fails ? EndCause::kExit : EndCause::kCompleted, fails ? 1 : 0);
  });
}

void Cluster::End(const TaskKey& key, EndCause cause, std::optional<std::int32_t> code) {
  auto at = tasks_.find(key);
  if (at == tasks_.end() || at->second.status.end) return;
  TaskStatus& status = at->second.status;
  live_.erase(key);
  status.state = TaskState::kEnded;
  status.end = engine::TaskEnd{.cause = cause, .exit_code = code, .at = clock_.Now()};
  if (cause == EndCause::kSignal) status.end->signal = 15;
  on_status(status);
}

Status Cluster::Stop(const TaskKey& key, const engine::StopOptions& options) {
  if (!reachable_) return OutOfReach();
  auto at = tasks_.find(key);
  if (at == tasks_.end() || at->second.status.end) return {};
  schedule_.In(UpTo(std::max<std::int64_t>(1, options.grace.value / 1'000'000)),
               [this, key] { End(key, EndCause::kSignal, std::nullopt); });
  return {};
}

std::vector<TaskStatus> Cluster::StatusOf(std::span<const TaskKey> keys) {
  std::vector<TaskStatus> answers;
  if (!reachable_) return answers;
  for (const TaskKey& key : keys) {
    auto at = tasks_.find(key);
    answers.push_back(at == tasks_.end() ? TaskStatus{.key = key} : at->second.status);
  }
  return answers;
}

std::vector<engine::TaskUsage> Cluster::UsageOf(std::span<const TaskKey>) {
  return {};
}

Result<Cluster::Task*> Cluster::Movable(const TaskKey& key) {
  if (!reachable_) return OutOfReach();
  auto at = tasks_.find(key);
  if (at == tasks_.end() || at->second.status.state != TaskState::kRunning) {
    return Fail(Code::kNotFound, NameOf(key) + " does not run");
  }
  return &at->second;
}

// Some work holds nothing that could be moved. After a move either way the answer may get lost.
Status Cluster::Park(const TaskKey& key) {
  YARD_ASSIGN(Task * task, Movable(key));
  if (!task->parked && random_.Below(8) == 0) {
    return Fail(Code::kPrecondition, NameOf(key) + " holds no memory of a GPU");
  }
  task->parked = true;
  if (random_.Below(8) == 0) return OutOfReach();
  return {};
}

Status Cluster::Unpark(const TaskKey& key) {
  YARD_ASSIGN(Task * task, Movable(key));
  if (!task->parked) return {};
  if (random_.Below(8) == 0) return Fail(Code::kConflict, "a GPU of it is used by others");
  CheckBooking(key, task->gpus);
  task->parked = false;
  if (random_.Below(8) == 0) return OutOfReach();
  return {};
}

void Cluster::Forget(const TaskKey& key) {
  if (!reachable_) return;
  auto at = tasks_.find(key);
  if (at == tasks_.end()) return;
  if (!at->second.status.end) Breach(NameOf(key) + " is forgotten while it runs");
  tasks_.erase(at);
  forgotten_.insert(key);
}

}  // namespace yard::serversim
