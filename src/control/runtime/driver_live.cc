// The driver as the door to running work: from (workload, attempt, rank) to the engine's key.
#include <fmt/format.h>

#include "control/commands/workloads.h"
#include "control/runtime/driver.h"

namespace yard::control {
namespace {

// The attempt that is meant; null if there is none.
Ptr<Attempt> AttemptFor(const State& state, const TaskChoice& task) {
  Ptr<Workload> workload = state.FindEver(task.workload);
  if (!workload) return nullptr;
  if (!task.attempt) return state.NewestAttempt(*workload);
  for (const Ptr<Attempt>& one : state.AttemptsOf(workload->id)) {
    if (one->number == *task.attempt) return one;
  }
  return nullptr;
}

// What the engine does not have because it never ran says so, and why.
Error Explained(const State& state, const TaskChoice& task, Error error) {
  if (error.code != Code::kNotFound) return error;
  Ptr<Attempt> attempt = AttemptFor(state, task);
  if (!attempt || !attempt->end || attempt->end->cause != EndCause::kLaunchFailed) return error;
  Ptr<Workload> workload = state.FindEver(task.workload);
  return {Code::kPrecondition,
          fmt::format("workload '{}' never ran: {}", workload->name, attempt->end->message),
          "there is no log, and nothing to enter"};
}

template <class T>
Result<T> Told(Result<T> answer, Service& service, const TaskChoice& task) {
  if (answer) return answer;
  return Fail(Explained(*service.Read(), task, std::move(answer).error()));
}

}  // namespace

Result<engine::TaskKey> Driver::KeyOf(const TaskChoice& task) const {
  Snapshot state = service_.Read();
  YARD_ASSIGN(Ptr<Workload> workload, FindWorkload(*state, task.workload));
  Ptr<Attempt> attempt = AttemptFor(*state, task);
  if (!attempt) {
    if (task.attempt) {
      return Fail(Code::kNotFound,
                  fmt::format("workload '{}' has no attempt {}", workload->name, *task.attempt));
    }
    return Fail(Code::kPrecondition,
                fmt::format("workload '{}' is {} and has not run yet", workload->name,
                            Name(workload->phase())),
                "wait until it runs");
  }
  if (task.rank < 0 || static_cast<std::size_t>(task.rank) >= attempt->places.size()) {
    return Fail(Code::kNotFound,
                fmt::format("workload '{}' has no rank {}", workload->name, task.rank));
  }
  return engine::TaskKey{attempt->id, task.rank};
}

// Only what runs can be entered.
Result<engine::TaskKey> Driver::OpenKeyOf(const TaskChoice& task) const {
  YARD_ASSIGN(engine::TaskKey key, KeyOf(task));
  Snapshot state = service_.Read();
  Ptr<Attempt> attempt = AttemptFor(*state, task);
  Ptr<Workload> workload = state->FindEver(task.workload);
  if (!attempt || !attempt->end || !workload) return key;
  bool ran = attempt->end->cause != EndCause::kLaunchFailed;
  return Fail(Code::kPrecondition,
              fmt::format("workload '{}' {}: {}", workload->name, ran ? "has ended" : "never ran",
                          attempt->end->message),
              "only work that runs can be entered");
}

Result<std::vector<LiveNode>> Driver::Nodes() {
  YARD_ASSIGN(std::vector<engine::NodeState> seen, engine_.Nodes());
  std::vector<LiveNode> nodes;
  nodes.reserve(seen.size());
  for (engine::NodeState& node : seen) nodes.push_back({std::move(node), scope_.cluster});
  return nodes;
}

bool Driver::RunsAsOwner(const Workload& workload) const {
  const NativeTasks native = options_.launch.native;
  return (native == NativeTasks::kOwner || native == NativeTasks::kIsolated) &&
         UsesAccount(workload);
}

Result<engine::LogChunk> Driver::ReadLog(const TaskChoice& task, std::int64_t offset,
                                         std::size_t limit) {
  YARD_ASSIGN(engine::TaskKey key, KeyOf(task));
  YARD_ASSIGN(auto* logs, engine::Offered(engine_, engine_.logs()));
  return Told(logs->ReadLog(key, offset, limit), service_, task);
}

Result<std::int64_t> Driver::LogOffsetAt(const TaskChoice& task, Time at) {
  YARD_ASSIGN(engine::TaskKey key, KeyOf(task));
  YARD_ASSIGN(auto* logs, engine::Offered(engine_, engine_.logs()));
  return Told(logs->LogOffsetAt(key, at), service_, task);
}

Result<std::unique_ptr<engine::LogWatch>> Driver::WatchLog(const TaskChoice& task,
                                                           std::function<void()> grown) {
  YARD_ASSIGN(engine::TaskKey key, KeyOf(task));
  YARD_ASSIGN(auto* logs, engine::Offered(engine_, engine_.logs()));
  return Told(logs->WatchLog(key, std::move(grown)), service_, task);
}

Result<std::unique_ptr<engine::Session>> Driver::Exec(const TaskChoice& task,
                                                      const engine::ExecSpec& spec) {
  YARD_ASSIGN(engine::TaskKey key, OpenKeyOf(task));
  YARD_ASSIGN(auto* exec, engine::Offered(engine_, engine_.exec()));
  return exec->Exec(key, spec);
}

Result<std::unique_ptr<engine::Session>> Driver::Attach(const TaskChoice& task) {
  YARD_ASSIGN(engine::TaskKey key, OpenKeyOf(task));
  YARD_ASSIGN(auto* exec, engine::Offered(engine_, engine_.exec()));
  return exec->Attach(key);
}

Result<UniqueFd> Driver::ConnectPort(const TaskChoice& task, std::uint16_t port) {
  YARD_ASSIGN(engine::TaskKey key, OpenKeyOf(task));
  YARD_ASSIGN(auto* ports, engine::Offered(engine_, engine_.ports()));
  return ports->ConnectPort(key, port);
}

Result<std::unique_ptr<engine::Session>> Driver::ReadFiles(const TaskChoice& task,
                                                           const std::string& path) {
  YARD_ASSIGN(engine::TaskKey key, KeyOf(task));
  YARD_ASSIGN(auto* files, engine::Offered(engine_, engine_.files()));
  return Told(files->ReadFiles(key, path), service_, task);
}

Result<std::unique_ptr<engine::Session>> Driver::ListOutput(const TaskChoice& task,
                                                            const std::string& path) {
  YARD_ASSIGN(engine::TaskKey key, KeyOf(task));
  YARD_ASSIGN(auto* files, engine::Offered(engine_, engine_.files()));
  return Told(files->ListOutput(key, path), service_, task);
}

Result<std::unique_ptr<engine::Session>> Driver::WriteFiles(const TaskChoice& task,
                                                            const std::string& path) {
  YARD_ASSIGN(engine::TaskKey key, OpenKeyOf(task));
  YARD_ASSIGN(auto* files, engine::Offered(engine_, engine_.files()));
  return files->WriteFiles(key, path);
}

Result<engine::TaskUsage> Driver::Usage(const TaskChoice& task) {
  YARD_ASSIGN(engine::TaskKey key, KeyOf(task));
  // What has ended can no longer be measured; zeros would be invented.
  std::vector<engine::TaskStatus> known = engine_.StatusOf({&key, 1});
  if (known.empty() || known.front().state != engine::TaskState::kRunning) {
    return Fail(Code::kPrecondition, "only what runs is measured");
  }
  std::vector<engine::TaskUsage> usage = engine_.UsageOf({&key, 1});
  if (!usage.empty()) return usage.front();
  return Fail(Code::kUnavailable, "its use is not measured now");
}

}  // namespace yard::control
