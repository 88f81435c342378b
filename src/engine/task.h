// What an engine is asked to run, and what it says about it. Plain data.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "base/time.h"
#include "model/attempt.h"
#include "model/ids.h"
#include "slice/closeness.h"
#include "slice/isolation.h"

namespace yard::engine {

// The identity of a task: never reused, so a launch can be repeated safely.
struct TaskKey {
  AttemptId attempt;
  std::int32_t rank = 0;
  auto operator<=>(const TaskKey&) const = default;
};

struct Variable {
  std::string name;
  std::string value;
  bool secret = false;  // masked wherever the engine shows or logs it
};

enum class MountKind {
  kHostPath,  // `source` is a path on the node
  kVolume,    // `source` names a volume the engine keeps; made when first used
  kNfs,       // `source` is server:/path
  kFile,      // `source` is the content of one file, mode 0400: config maps and secrets
  kScratch,   // empty at the start, gone with the task
  kDataSet,   // `source` is PROJECT/VERSION below the folder of data sets; always read-only
  kOutput,    // `source` is a name; empty at the start, read by TaskFiles until Forget
};

struct Mount {
  MountKind kind = MountKind::kHostPath;
  std::string source;
  std::string target;  // absolute path as the task sees it
  bool read_only = false;
  bool must_exist = false;  // of a volume: it is not made
};

enum class PullPolicy { kIfNotPresent, kAlways, kNever };

struct Container {
  std::string image;
  PullPolicy pull = PullPolicy::kIfNotPresent;
  std::string registry_user;  // empty: anonymous
  std::string registry_password;
  Mebibytes shm{64};
  std::vector<std::string> add_capabilities;  // everything else is dropped
  bool read_only_root = false;
  bool host_network = false;
  bool host_ipc = false;
};

// The account a task runs as; absent: the image's, or the engine's own for a plain process.
struct Account {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::vector<std::uint32_t> groups;
};

// How a part's share of the GPU's time is kept.
enum class GpuTime {
  kFree,         // not at all: whoever has work takes what it gets
  kFair,         // by shares, what others leave idle included
  kStrict,       // never more than the share
  kInteractive,  // as by shares, and before the others while within the share
};

struct GpuGrant {
  std::string uuid;
  MilliGpu part;            // 1000: the whole device
  Mebibytes memory;         // the part's memory: guaranteed
  std::int32_t weight = 0;  // compute share in percent; 0: not limited
  Mebibytes limit = {};     // what it may hold while there is room; at most `memory`: no more
  GpuTime time = GpuTime::kFree;
};

// A limit of zero means none.
struct TaskLimits {
  MilliCpu cpu;
  Mebibytes memory;
  std::int64_t pids = 0;
  Mebibytes log{64};  // what is kept of the log: its beginning and its newest part
};

struct TaskSpec {
  TaskKey key;
  std::string node;
  std::string title;                   // "project/workload", for people who look at the machine
  std::optional<Container> container;  // absent: a plain process
  std::vector<std::string> command;    // entry point; empty: the image's
  std::vector<std::string> args;       // replaces the image's CMD
  std::string working_dir;             // empty: the image's, or the task's own scratch folder
  std::vector<Variable> variables;
  std::vector<Mount> mounts;
  std::optional<Account> account;
  std::vector<GpuGrant> gpus;
  TaskLimits limits;
  std::vector<std::uint16_t> ports;  // the task listens on these; ConnectPort reaches them
  // Ranks of the attempt on this node, its own included. They reach each other by HostName.
  std::vector<std::int32_t> together = {};
  bool tty = false;
};

// The name that the rank's container has on its network, from a title "project/workload", as
// Kubernetes names a pod; empty: none can be made.
std::string HostName(std::string_view title, std::int32_t rank);

enum class TaskState {
  kQueued,    // taken, and waits in the engine's own queue: it holds nothing and does not run
  kStarting,  // taken, not yet running (an image may be on its way)
  kRunning,
  kEnded,
  kUnknown,  // this engine does not know the task
};

// What a task used in all, counted at its end.
struct EndUse {
  Micros cpu{0};
  Mebibytes memory_peak{0};
  std::int64_t read_bytes = 0;
  std::int64_t write_bytes = 0;
};

struct TaskEnd {
  EndCause cause = EndCause::kCompleted;  // kCompleted, kExit, kSignal, kOutOfMemory,
                                          // kLaunchFailed or kNodeLost
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;  // for people; says what to do about a failed launch
  Time at;
  std::optional<EndUse> used;  // absent: not counted
};

struct StopOptions {
  int signal = 15;
  Micros grace = Seconds(30);  // then it is killed
};

struct TaskStatus {
  TaskKey key;
  TaskState state = TaskState::kUnknown;
  std::string detail;  // while queued or starting: "pulling image … 40 %"
  std::optional<Time> started_at;
  std::optional<TaskEnd> end;
};

// Counters since the start of the task, and levels now. Absent: not measured.
struct TaskUsage {
  TaskKey key;
  Micros cpu{0};
  Mebibytes memory{0};
  Mebibytes memory_peak{0};
  std::int64_t read_bytes = 0;
  std::int64_t write_bytes = 0;
  std::int64_t processes = 0;
  std::optional<std::int32_t> gpu_percent;
  std::optional<Mebibytes> gpu_memory;
  std::optional<Time> terminal_input_at;  // newest input on a terminal of the task
};

// Something people should know about a task that runs.
struct TaskNote {
  TaskKey key;
  std::string reason;  // one word for programs: "GpuMemoryAboveRequest"
  std::string message;
};

// What a GPU tells of itself. Absent: it, or its driver, does not say.
struct GpuHealth {
  std::optional<std::int64_t> temperature_c;
  std::optional<std::int64_t> power_mw;
  std::optional<std::int64_t> power_limit_mw;
  std::optional<std::int64_t> energy_mj;  // since its driver was loaded
  std::optional<std::int64_t> sm_clock_mhz;
  std::optional<std::int64_t> sm_clock_max_mhz;
  std::optional<std::int64_t> memory_clock_mhz;
  std::optional<std::vector<std::string>> slowed_by;  // "powerLimit", "heat"; empty: by nothing
  std::optional<std::int64_t> ecc_corrected;          // memory errors since its driver was loaded
  std::optional<std::int64_t> ecc_uncorrected;
  std::optional<std::int64_t> remapped_rows;  // of memory: broken ones that were replaced
  std::optional<std::int64_t> xids;           // errors it reported since the engine's start
  std::string last_xid = {};                  // the newest of them; empty: none
  std::optional<std::int64_t> processes;      // that hold some of its memory
};

// Another GPU of the same machine, and how near it is.
struct GpuLink {
  std::string uuid;
  std::optional<slice::Closeness> closeness;  // absent: not known
  std::optional<std::int64_t> nvlinks;        // how many join the two
};

struct GpuState {
  std::string uuid;   // of a MIG instance "MIG-…"
  std::string model;  // of a MIG instance with its profile
  Mebibytes memory;
  bool declared = false;  // stated in the settings, not seen by a driver: no metrics
  // Of a part of it. Who has the whole GPU shares it with nobody.
  slice::Isolation isolation = slice::Isolation::kDeclared;
  std::string pci;    // bus address; empty: not known
  bool mig = false;   // a MIG instance: kept apart by the hardware
  std::string fault;  // empty: healthy
  Mebibytes foreign;  // memory held by processes that are not ours
  std::optional<std::int32_t> busy_percent;
  std::optional<Mebibytes> used;
  std::optional<GpuHealth> health = {};  // absent: nobody could ask it
  std::optional<std::int64_t> numa_node = {};
  std::vector<GpuLink> links = {};
};

struct NodeState {
  std::string name;
  bool ready = true;
  std::string message;  // why it is not ready
  MilliCpu cpu;
  Mebibytes memory;
  std::vector<GpuState> gpus;
  std::vector<std::pair<std::string, std::string>> labels;
};

}  // namespace yard::engine
