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

  // A task that cannot be described ends; the others of its attempt are launched and then stopped.
  Inbox operator()(const LaunchTasks& order) const {
    Inbox news;
    Ptr<Attempt> attempt = state_.Find<Attempt>(order.attempt);
    if (!attempt || attempt->end) return news;
    std::vector<engine::TaskSpec> specs;
    std::vector<TaskKey> keys;
    for (std::int32_t rank : order.ranks) {
      Result<engine::TaskSpec> spec = BuildTask(state_, *attempt, rank, launch_);
      // Its data set is still being written; asked again, nobody else waits for that.
      const bool later = !spec && spec.error().code == Code::kTooMany && !attempt->stop;
      if (later) {
        news.not_launched.push_back({order.attempt, rank});
        continue;
      }
      if (!spec) {
        news.tasks.push_back(NotLaunched({order.attempt, rank}, spec.error(), now_));
        continue;
      }
      keys.push_back(spec->key);
      specs.push_back(*std::move(spec));
    }
    std::vector<Status> launched = engine_.LaunchGang(std::move(specs));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (launched[i]) continue;
      const Error& error = launched[i].error();
      if (error.code == Code::kUnavailable && !attempt->stop) {
        news.not_launched.push_back(keys[i]);
      } else {
        news.tasks.push_back(NotLaunched(keys[i], error, now_));
      }
    }
    return news;
  }

  Inbox operator()(const StopTasks& order) const {
    StopTasks again{order.attempt, {}, order.how};
    std::vector<TaskKey> asked;
    std::vector<TaskKey> keys = KeysOf(order);
    std::vector<Status> stopped = engine_.StopMany(keys, order.how);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!stopped[i]) {
        log::Warning("a task could not be stopped", {{"error", stopped[i].error().message}});
      }
      const bool later = !stopped[i] && stopped[i].error().code == Code::kUnavailable;
      later ? again.ranks.push_back(keys[i].rank) : asked.push_back(keys[i]);
    }
    Inbox news = NeverTaken(asked, again);
    if (!again.ranks.empty()) news.not_stopped.push_back(std::move(again));
    return news;
  }

  Inbox operator()(const ForgetTask& order) const {
    engine_.Forget(order.key);
    return {};
  }

  Inbox operator()(const MoveMemory& order) const {
    const TaskKey key{order.attempt, 0};
    Moved moved{.attempt = order.attempt, .from = order.from, .outcome = {}, .memory = {}};
    const bool leaves = order.from == Residence::kLeaving;
    if (leaves) {
      std::vector<engine::TaskUsage> usage = engine_.UsageOf({&key, 1});
      if (!usage.empty()) moved.memory = usage.front().gpu_memory;
    }
    Result<engine::Checkpoint*> checkpoint = engine::Offered(engine_, engine_.checkpoint());
    if (!checkpoint) {
      moved.outcome = Fail(checkpoint.error());
    } else {
      moved.outcome = leaves ? (*checkpoint)->Park(key) : (*checkpoint)->Unpark(key);
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
      Status set = gpus ? SetLimits(key, *gpus) : Fail(gpus.error());
      if (set || order.on_failure == SetGpuLimits::OnFailure::kIgnore) continue;
      news.notes.push_back({key, "GpuLimitNotSet", set.error().message});
    }
    return news;
  }

  Inbox operator()(const ReadNodes&) const {
    Result<std::vector<engine::NodeState>> nodes = engine_.Nodes();
    if (nodes) return {.nodes = *std::move(nodes)};
    log::Warning("the engine's nodes cannot be read", {{"error", nodes.error().message}});
    if (nodes.error().code == Code::kUnavailable) return {.lost = nodes.error()};
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
  static std::vector<TaskKey> KeysOf(const StopTasks& order) {
    std::vector<TaskKey> keys;
    keys.reserve(order.ranks.size());
    for (std::int32_t rank : order.ranks) keys.push_back({order.attempt, rank});
    return keys;
  }

  // What the engine never took has nothing to stop: it is over. Those of which it cannot say are
  // to be stopped again.
  Inbox NeverTaken(const std::vector<TaskKey>& keys, StopTasks& again) const {
    Inbox news;
    if (keys.empty()) return news;
    std::vector<TaskStatus> known = engine_.StatusOf(keys);
    if (known.empty()) {
      for (const TaskKey& key : keys) again.ranks.push_back(key.rank);
    }
    Error never{Code::kNotFound, "It was told to stop before it was launched."};
    for (const TaskStatus& status : known) {
      if (status.state != engine::TaskState::kUnknown) continue;
      news.tasks.push_back(NotLaunched(status.key, never, now_));
    }
    return news;
  }

  Status SetLimits(const TaskKey& key, const std::vector<engine::GpuGrant>& gpus) const {
    YARD_ASSIGN(engine::GpuLimits * limits, engine::Offered(engine_, engine_.gpu_limits()));
    return limits->SetGpuLimits(key, gpus);
  }

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
