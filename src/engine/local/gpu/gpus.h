// The GPUs of this machine: seen through NVML, or declared.
//
// Thread-safe. NVML may hang on a sick GPU: calls are given up after a while, and the GPU is then
// shown with a fault.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/local/gpu/device_nodes.h"
#include "engine/local/options.h"
#include "engine/task.h"
#include "slice/nvml.h"
#include "slice/telemetry.h"
#include "slice/topology.h"
#include "slice/watchdog.h"
#include "slice/xid.h"

namespace yard::engine {

// Errors that a GPU reported by itself.
struct XidReports {
  std::int64_t count = 0;
  std::string last = {};    // in words
  std::string broken = {};  // by which it needs a reset; empty: it does not
  bool heard = false;       // it would tell
};

class Gpus {
 public:
  Gpus(const LocalOptions& options, const std::string& host);

  // `ours` lists the processes of tasks: what others hold is foreign. One of ours may start between
  // its two lists, so whoever looks foreign is looked at again.
  using ListProcesses = std::function<std::vector<int>()>;
  std::vector<GpuState> Read(const ListProcesses& ours);

  // What makes exactly the granted GPUs visible to a process.
  std::vector<Variable> VariablesFor(std::span<const GpuGrant> grants) const;

  // All of a GPU's memory; zero if it is not known.
  Mebibytes MemoryOf(const std::string& uuid);

  // Their bus addresses, in order; empty where not known or where the kernel cannot tell a part
  // from the rest (MIG instances).
  std::vector<std::string> AddressesOf(std::span<const GpuGrant> grants);

  // The device nodes of those that have one.
  std::vector<GpuNode> NodesOf(std::span<const GpuGrant> grants);

  // Memory held by, and business of the GPUs granted to, a task.
  void AddUse(std::span<const GpuGrant> grants, std::span<const int> pids, TaskUsage& usage);

  // What each of these processes holds of the GPUs granted to it; those that hold nothing are left
  // out. Nothing if NVML does not answer.
  std::optional<std::map<int, Mebibytes>> HoldersAmong(std::span<const int> pids,
                                                       std::span<const GpuGrant> grants);

  // Null without a driver.
  const slice::Nvml* nvml() const { return nvml_ ? &*nvml_ : nullptr; }

 private:
  struct Seen {
    slice::GpuIdentity identity;
    slice::GpuReading reading;
    std::vector<slice::Neighbour> neighbours;
    XidReports reports;
  };
  using SeenList = std::vector<Seen>;

  // What lasts from one reading to the next. Used by one call at a time, which may outlive this.
  struct Record {
    slice::XidWatch watch;
    std::map<void*, XidReports> reports = {};
    std::vector<std::string> known = {};  // whose topology it is
    std::vector<std::vector<slice::Neighbour>> topology = {};
  };

  using IsForeign = std::function<bool(int pid)>;

  static SeenList Look(const slice::Nvml& nvml, Record& record);
  std::vector<GpuState> ReadOnce(const IsForeign& is_foreign);
  std::optional<SeenList> Ask();

  std::optional<slice::Nvml> nvml_;
  std::vector<GpuState> declared_;
  std::mutex mutex_;
  slice::Watchdog<SeenList> watchdog_;  // guarded by mutex_
  SeenList last_;                       // guarded by mutex_
  std::shared_ptr<Record> record_;
};

}  // namespace yard::engine
