// The GPUs of this machine: seen through NVML, or declared.
//
// Thread-safe. NVML may hang on a sick GPU: calls are given up after a while, and the GPU is then
// shown with a fault.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/local/options.h"
#include "engine/task.h"
#include "slice/nvml.h"
#include "slice/telemetry.h"
#include "slice/watchdog.h"

namespace yard::engine {

class Gpus {
 public:
  Gpus(const LocalOptions& options, const std::string& host);

  // `ours` are processes of tasks: what others hold is foreign.
  std::vector<GpuState> Read(std::span<const int> ours);

  // What makes exactly the granted GPUs visible to a process.
  std::vector<Variable> VariablesFor(std::span<const GpuGrant> grants) const;

  // All of a GPU's memory; zero if it is not known.
  Mebibytes MemoryOf(const std::string& uuid);

  // Memory held by, and business of the GPUs granted to, a task.
  void AddUse(std::span<const GpuGrant> grants, std::span<const int> pids, TaskUsage& usage);

  // Null without a driver.
  const slice::Nvml* nvml() const { return nvml_ ? &*nvml_ : nullptr; }

 private:
  struct Seen {
    slice::GpuIdentity identity;
    slice::GpuReading reading;
  };
  using SeenList = std::vector<Seen>;

  std::optional<SeenList> Ask();

  std::optional<slice::Nvml> nvml_;
  std::vector<GpuState> declared_;
  std::mutex mutex_;
  slice::Watchdog<SeenList> watchdog_;  // guarded by mutex_
  SeenList last_;                       // guarded by mutex_
};

}  // namespace yard::engine
