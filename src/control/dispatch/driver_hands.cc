// What the driver asks of the engine. Every call here returns at once; the hands make it.
#include "base/log.h"
#include "control/dispatch/driver.h"

namespace yard::control {
namespace {

std::size_t LaneOf(AttemptId attempt) {
  return std::hash<AttemptId>{}(attempt);
}

engine::TaskStatus NotLaunched(const engine::TaskKey& key, const Error& error, Time at) {
  engine::TaskStatus status{.key = key, .state = engine::TaskState::kEnded};
  std::string sentence = error.message;
  if (!error.details.empty()) sentence += "; " + error.details;
  status.end =
      engine::TaskEnd{.cause = EndCause::kLaunchFailed, .message = std::move(sentence), .at = at};
  return status;
}

}  // namespace

void Driver::Launch(const engine::TaskKey& key) {
  hands_.Do(LaneOf(key.attempt), [this, key] {
    Snapshot state = service_.Read();
    Ptr<Attempt> attempt = state->Find<Attempt>(key.attempt);
    if (!attempt || attempt->end) return;
    Status launched;
    Result<engine::TaskSpec> spec = BuildTask(*state, *attempt, key.rank, options_.launch);
    if (spec) {
      launched = engine_.Launch(*std::move(spec));
    } else {
      launched = Fail(spec.error());
    }
    if (launched) return;
    bool later = spec && launched.error().code == Code::kUnavailable && !attempt->stop;
    Tell([&](Inbox& inbox) {
      if (later) {
        inbox.not_launched.push_back(key);
      } else {
        inbox.tasks.push_back(NotLaunched(key, launched.error(), service_.Now()));
      }
    });
  });
}

void Driver::StopAll(const Attempt& attempt) {
  Ptr<Workload> workload = service_.Read()->Find<Workload>(attempt.workload);
  RunRules rules = workload ? workload->rules : RunRules{};
  bool preempted = attempt.stop && attempt.stop->cause == EndCause::kPreempted;
  engine::StopOptions how{.signal = preempted ? static_cast<int>(rules.preempt_signal) : kTerminate,
                          .grace = rules.grace};
  for (std::size_t rank = 0; rank < attempt.places.size(); ++rank) {
    StopTask({attempt.id, static_cast<std::int32_t>(rank)}, how);
  }
}

void Driver::StopTask(const engine::TaskKey& key, const engine::StopOptions& how) {
  std::erase_if(launch_again_, [&](const auto& entry) { return entry.second == key; });
  hands_.Do(LaneOf(key.attempt), [this, key, how] {
    Status stopped = engine_.Stop(key, how);
    if (!stopped) {
      log::Warning("a task could not be stopped", {{"error", stopped.error().message}});
    }
    if (!stopped && stopped.error().code == Code::kUnavailable) {
      return Tell([&](Inbox& inbox) { inbox.not_stopped.push_back({key, how}); });
    }
    // What the engine never took has nothing to stop: it is over.
    engine::TaskStatus known = engine_.StatusOf({&key, 1}).front();
    if (known.state != engine::TaskState::kUnknown) return;
    Error never{Code::kNotFound, "It was told to stop before it was launched."};
    Tell([&](Inbox& inbox) { inbox.tasks.push_back(NotLaunched(key, never, service_.Now())); });
  });
}

void Driver::Forget(const Attempt& attempt) {
  for (std::size_t rank = 0; rank < attempt.places.size(); ++rank) {
    engine::TaskKey key{attempt.id, static_cast<std::int32_t>(rank)};
    hands_.Do(LaneOf(attempt.id), [this, key] { engine_.Forget(key); });
  }
}

// What was launched before the change is told of it; what comes later is built with it.
void Driver::SetGpuLimits(const Workload& workload, OnFailure on_failure) {
  if (!workload.attempt) return;
  hands_.Do(LaneOf(*workload.attempt), [this, id = *workload.attempt, on_failure] {
    Snapshot state = service_.Read();
    Ptr<Attempt> attempt = state->Find<Attempt>(id);
    if (!attempt || attempt->end) return;
    for (std::size_t rank = 0; rank < attempt->places.size(); ++rank) {
      if (attempt->places[rank].gpus.empty() || attempt->places[rank].each.value >= 1000) continue;
      const engine::TaskKey key{id, static_cast<std::int32_t>(rank)};
      Result<std::vector<engine::GpuGrant>> gpus = BuildGrants(*state, *attempt, key.rank);
      Status set = gpus ? engine_.SetGpuLimits(key, *gpus) : Fail(gpus.error());
      if (set || on_failure == OnFailure::kIgnore) continue;
      Tell([&](Inbox& inbox) {
        inbox.notes.push_back({key, "GpuLimitNotSet", set.error().message});
      });
    }
  });
}

void Driver::ReadNodes() {
  hands_.Do(0, [this] {
    Result<std::vector<engine::NodeState>> nodes = engine_.Nodes();
    if (!nodes) {
      log::Warning("the engine's nodes cannot be read", {{"error", nodes.error().message}});
      return;
    }
    Tell([&](Inbox& inbox) { inbox.nodes = *std::move(nodes); });
  });
}

}  // namespace yard::control
