// The hands of Gpuyard: whatever runs tasks on machines. One folder per kind.
//
// Contract, checked for every engine by engine/testing/conformance.h:
// - Launch is idempotent by key: once a key was taken, launching it again changes nothing, also
//   after a restart of this process and while or after the task runs.
// - A task that was taken ends exactly once, and its end stays known until Forget.
// - Stop is idempotent (kUnavailable: try again). When a task has ended, nothing of it is left on
//   the machine: no process, mount, control group or GPU. Its log and output stay until Forget.
// - A failed launch is an end (kLaunchFailed) and not an error of Launch, which fails only when
//   the engine could not take the task at all (kUnavailable: try again; kInvalid: never).
// - An engine may be far away and out of contact. It then answers kUnavailable, and nothing from
//   StatusOf: silence is never an end. What its tasks did meanwhile it tells when it is back.
//
// Thread-safe. Calls may block for a while (a fork, a request to a daemon), so never make one on
// the reactor or an I/O thread. Listener calls come from threads of the engine.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/facets.h"
#include "engine/task.h"

namespace yard::engine {

// How exactly the engine follows the places that the scheduler chose.
enum class PlacementBy {
  kDevice,  // node and GPUs as given
  kNode,    // the node as given; the engine chooses the GPUs
  kEngine,  // the engine chooses both and may queue the task; the scheduler only admits
};

// What an engine can do at all. The service refuses work that needs more, with the reason.
struct Capabilities {
  std::string name;              // "local", "sim", …
  bool processes = false;        // plain processes
  bool containers = false;       // by `container_daemon`; else `containers_missing` says why
  std::string container_daemon;  // "podman 4.3.1 at /run/podman/podman.sock"
  std::string containers_missing;
  bool memory_limits = false;
  bool cpu_limits = false;
  bool gpu_slices = false;  // fractions are enforced; else they are only counted
  bool gpu_filter = false;  // plain processes reach only their GPUs; else `gpu_filter_missing`
  std::string gpu_filter_missing;
  bool parking = false;  // checkpoint(); else `parking_missing` says why
  std::string parking_missing;
  PlacementBy placement = PlacementBy::kDevice;
};

// Must be quick and not call back into the engine.
struct Listener {
  std::function<void(const TaskStatus&)> on_task;  // changes of state in order; may come twice
  // All nodes, whenever they changed.
  std::function<void(const std::vector<NodeState>&)> on_nodes;
  std::function<void(const TaskNote&)> on_note;
  // The machines are out of contact, and why; on_nodes says that they are back.
  std::function<void(const Error&)> on_lost;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual Capabilities capabilities() const = 0;
  // All nodes, as the engine knows them now: it reads its own machine or its own memory and does
  // not wait for a machine far away (kUnavailable: out of contact).
  virtual Result<std::vector<NodeState>> Nodes() = 0;
  // Finds again what an earlier life launched, then reports to the listener. Call it first, and
  // again only if it failed (kUnavailable: out of contact).
  virtual Result<std::vector<TaskStatus>> Adopt(Listener listener) = 0;

  virtual Status Launch(TaskSpec spec) = 0;
  // The tasks of one attempt in one call, for engines that start them as a whole. One answer per
  // task, in order.
  virtual std::vector<Status> LaunchGang(std::vector<TaskSpec> specs) {
    std::vector<Status> answers;
    answers.reserve(specs.size());
    for (TaskSpec& spec : specs) answers.push_back(Launch(std::move(spec)));
    return answers;
  }
  virtual Status Stop(const TaskKey& key, const StopOptions& options) = 0;
  virtual std::vector<Status> StopMany(std::span<const TaskKey> keys, const StopOptions& options) {
    std::vector<Status> answers;
    answers.reserve(keys.size());
    for (const TaskKey& key : keys) answers.push_back(Stop(key, options));
    return answers;
  }
  // One answer per key, in order; kUnknown for those it does not know. Empty: it cannot say now.
  virtual std::vector<TaskStatus> StatusOf(std::span<const TaskKey> keys) = 0;
  virtual std::vector<TaskUsage> UsageOf(std::span<const TaskKey> keys) = 0;
  // After the end is recorded: drops what is kept about the task, its log included.
  virtual void Forget(const TaskKey& key) = 0;

  // What it offers besides; null: it does not.
  virtual TaskLogs* logs() { return nullptr; }
  virtual TaskExec* exec() { return nullptr; }
  virtual TaskFiles* files() { return nullptr; }
  virtual TaskPorts* ports() { return nullptr; }
  virtual GpuLimits* gpu_limits() { return nullptr; }
  virtual Checkpoint* checkpoint() { return nullptr; }
};

// An engine that offers all of it.
class CompleteEngine : public Engine,
                       public TaskLogs,
                       public TaskExec,
                       public TaskFiles,
                       public TaskPorts,
                       public GpuLimits,
                       public Checkpoint {
 public:
  TaskLogs* logs() override { return this; }
  TaskExec* exec() override { return this; }
  TaskFiles* files() override { return this; }
  TaskPorts* ports() override { return this; }
  GpuLimits* gpu_limits() override { return this; }
  Checkpoint* checkpoint() override { return this; }
};

// The facet, or the refusal: Offered(engine, engine.logs()).
template <class Facet>
Result<Facet*> Offered(const Engine& engine, Facet* facet) {
  if (facet != nullptr) return facet;
  return Fail(Code::kUnsupported, "the engine '" + engine.capabilities().name +
                                      "' of its cluster does not offer " +
                                      std::string(Facet::kWhat));
}

}  // namespace yard::engine
