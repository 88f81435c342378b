#include "control/runtime/engine_calls.h"

#include <functional>
#include <string>
#include <utility>
#include <variant>

#include "base/log.h"

namespace yard::control {
namespace {

using engine::TaskKey;
using engine::TaskStatus;

TaskStatus NotLaunched(const TaskKey& key, const Error& error, Time at) {
  TaskStatus status{.key = key, .state = engine::TaskState::kEnded};
  std::string sentence = error.message;
  if (!error.details.empty()) sentence += "; " + error.details;
  status.end =
      engine::TaskEnd{.cause = EndCause::kLaunchFailed, .message = std::move(sentence), .at = at};
  return status;
}

// One order at a time, by overload.
class Caller {
 public:
  Caller(const State& state, engine::Engine& engine, const LaunchContext& launch, Time now)
      : state_(state), engine_(engine), launch_(launch), now_(now) {}

  Inbox operator()(const LaunchTask& order) const {
    Ptr<Attempt> attempt = state_.Find<Attempt>(order.key.attempt);
    if (!attempt || attempt->end) return {};
    Result<engine::TaskSpec> spec = BuildTask(state_, *attempt, order.key.rank, launch_);
    Status launched = spec ? engine_.Launch(*std::move(spec)) : Fail(spec.error());
    if (launched) return {};
    bool later = spec && launched.error().code == Code::kUnavailable && !attempt->stop;
    if (later) return {.not_launched = {order.key}};
    return {.tasks = {NotLaunched(order.key, launched.error(), now_)}};
  }

  Inbox operator()(const TaskStop& order) const {
    Status stopped = engine_.Stop(order.key, order.how);
    if (!stopped) {
      log::Warning("a task could not be stopped", {{"error", stopped.error().message}});
    }
    if (!stopped && stopped.error().code == Code::kUnavailable) return {.not_stopped = {order}};
    // What the engine never took has nothing to stop: it is over.
    std::vector<TaskStatus> known = engine_.StatusOf({&order.key, 1});
    if (known.empty()) return {.not_stopped = {order}};
    if (known.front().state != engine::TaskState::kUnknown) return {};
    Error never{Code::kNotFound, "It was told to stop before it was launched."};
    return {.tasks = {NotLaunched(order.key, never, now_)}};
  }

  Inbox operator()(const ForgetTask& order) const {
    engine_.Forget(order.key);
    return {};
  }

  Inbox operator()(const MoveMemory& order) const {
    const TaskKey key{order.attempt, 0};
    Moved moved{.attempt = order.attempt, .from = order.from, .outcome = {}, .memory = {}};
    if (order.from == Residence::kLeaving) {
      std::vector<engine::TaskUsage> usage = engine_.UsageOf({&key, 1});
      if (!usage.empty()) moved.memory = usage.front().gpu_memory;
      moved.outcome = engine_.Park(key);
    } else {
      moved.outcome = engine_.Unpark(key);
    }
    return {.moved = {std::move(moved)}};
  }

  // What was launched before the change is told of it; what comes later is built with it.
  Inbox operator()(const SetGpuLimits& order) const {
    Inbox news;
    Ptr<Attempt> attempt = state_.Find<Attempt>(order.attempt);
    if (!attempt || attempt->end) return news;
    for (std::size_t rank = 0; rank < attempt->places.size(); ++rank) {
      if (attempt->places[rank].gpus.empty() || attempt->places[rank].each.value >= 1000) continue;
      const TaskKey key{order.attempt, static_cast<std::int32_t>(rank)};
      Result<std::vector<engine::GpuGrant>> gpus = BuildGrants(state_, *attempt, key.rank);
      Status set = gpus ? engine_.SetGpuLimits(key, *gpus) : Fail(gpus.error());
      if (set || order.on_failure == SetGpuLimits::OnFailure::kIgnore) continue;
      news.notes.push_back({key, "GpuLimitNotSet", set.error().message});
    }
    return news;
  }

  Inbox operator()(const ReadNodes&) const {
    Result<std::vector<engine::NodeState>> nodes = engine_.Nodes();
    if (nodes) return {.nodes = *std::move(nodes)};
    log::Warning("the engine's nodes cannot be read", {{"error", nodes.error().message}});
    return {};
  }

  Inbox operator()(const ReadStatus& order) const {
    Inbox news;
    for (TaskStatus& status : engine_.StatusOf(order.keys)) {
      if (status.state == engine::TaskState::kUnknown) {
        news.unknown.push_back(status.key);
      } else {
        news.tasks.push_back(std::move(status));
      }
    }
    return news;
  }

  Inbox operator()(const ReadUsage& order) const { return {.usage = engine_.UsageOf(order.keys)}; }

 private:
  const State& state_;
  engine::Engine& engine_;
  const LaunchContext& launch_;
  const Time now_;
};

std::size_t Hash(AttemptId attempt) {
  return std::hash<AttemptId>{}(attempt);
}

}  // namespace

Inbox Perform(const EngineOrder& order, const State& state, engine::Engine& engine,
              const LaunchContext& launch, Time now) {
  return std::visit(Caller(state, engine, launch, now), order);
}

std::size_t LaneOf(const EngineOrder& order) {
  return std::visit(
      []<class T>(const T& one) -> std::size_t {
        if constexpr (requires { one.key; }) {
          return Hash(one.key.attempt);
        } else if constexpr (requires { one.attempt; }) {
          return Hash(one.attempt);
        } else {
          return 0;
        }
      },
      order);
}

}  // namespace yard::control
