// Parts of GPUs, enforced by the slice library in plain processes and in containers.
//
// A slice outlives the server with its task: the task's shim keeps the region open, and a
// restarted server takes it back from there. Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/local/gpu/gpus.h"
#include "engine/local/options.h"
#include "engine/task.h"
#include "slice/agent/folder.h"
#include "slice/agent/keeper.h"

namespace yard::engine {

// Whether a task has parts of real GPUs.
bool NeedsSlice(const TaskSpec& spec);

// What brings the processes of a container into its slice.
struct ContainerSlice {
  std::vector<slice::Mount> mounts;  // read-only
  std::vector<Variable> variables;
};

class Slices {
 public:
  // Needs NVML, the driver's library and ours; else `missing` says what is not there.
  Slices(const LocalOptions& options, Gpus& gpus);

  bool works() const { return keeper_ != nullptr; }
  const std::string& missing() const { return missing_; }
  // The path of the driver's libcuda.so.1; empty if there is none.
  const std::string& driver() const { return libraries_.real_cuda; }

  // Whether this task gets a slice here.
  bool Serves(const TaskSpec& spec) const { return works() && NeedsSlice(spec); }

  // Makes the slice; the variables bring a process into it.
  Result<std::vector<Variable>> Add(const TaskSpec& spec);
  // The same for a container, whose image may set a path for libraries. Nobody else brings the
  // driver's files into it unless `driver` says so.
  enum class Driver { kComes, kMissing };
  Result<ContainerSlice> AddContainer(const TaskSpec& spec, const std::string& library_path,
                                      Driver driver);
  // To be kept open by the shim; stays the keeper's. -1: the task has no slice.
  int RegionOf(const TaskSpec& spec);
  // After a restart: the process that kept the region open is the task's shim.
  Status Adopt(const TaskSpec& spec, int shim);
  void Remove(const TaskSpec& spec);
  // Changes the limits of parts while they are used.
  Status SetLimits(const TaskSpec& spec, std::span<const GpuGrant> gpus);

  // Takes the task's part off the GPU and puts it back; see slice::Keeper.
  Status Park(const TaskSpec& spec, Micros lock_timeout);
  Status Unpark(const TaskSpec& spec, Micros lock_timeout);
  bool IsParked(const TaskSpec& spec);

  // Who hears what people should know about tasks; called from the keeper's threads.
  void Listen(std::function<void(const TaskNote&)> on_note);

  // The tasks as the engine knows them; called from the keeper's threads, and no more once this
  // was called with nothing.
  struct Tasks {
    // All processes of a task, however they came by the GPU.
    std::function<std::vector<int>(const TaskKey&)> processes = {};
    std::function<void(const TaskKey&)> kill = {};
  };
  void Follow(Tasks tasks);

 private:
  Result<slice::SliceSpec> Describe(const TaskSpec& spec);
  Result<std::string> Make(const TaskSpec& spec);
  void OnEvent(const slice::Event& event);
  std::vector<int> ProcessesOf(const std::string& slice);
  std::string Answer(const TaskKey& key);

  std::string root_;
  GpuOverLimitRules over_limit_;
  slice::Libraries libraries_;
  std::string missing_;
  Gpus& gpus_;
  std::mutex mutex_;
  std::function<void(const TaskNote&)> on_note_;  // guarded by mutex_
  std::map<TaskKey, GpuOverLimit> answers_;       // guarded by mutex_
  std::mutex tasks_mutex_;                        // held while the engine is asked
  Tasks tasks_;                                   // guarded by tasks_mutex_
  std::unique_ptr<slice::Keeper> keeper_;         // last: it calls OnEvent
};

}  // namespace yard::engine
