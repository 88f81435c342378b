// What people do with work that runs or ran: read its logs, enter it, reach its ports, and ask
// the scheduler about it. The door the API uses; it hides which engine has a task.
//
// Every call takes a workload that the caller has already been allowed to use. Thread-safe; calls
// may block for a while, so make them from a worker, never from an I/O thread or the reactor.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/time.h"
#include "control/state/wait_board.h"
#include "control/usage/series.h"
#include "engine/engine.h"
#include "model/attempt.h"
#include "model/workload.h"

namespace yard::control {

// Which of a workload's tasks is meant. Without an attempt the newest.
struct TaskChoice {
  WorkloadId workload;
  std::optional<std::int32_t> attempt;  // its number
  std::int32_t rank = 0;
};

// Work that is stopped in favour of another, or starts again smaller or elsewhere.
enum class WorkFate : std::uint8_t { kStops, kShrinks, kMoves };
struct WorkLost {
  WorkloadId workload;
  Micros ran;  // since its last start
  WorkFate fate = WorkFate::kStops;
};

struct Alternative {
  std::string change;      // "with 2 GPUs", "on pool dev"
  std::string outcome;     // "starts now", "could run"
  std::string kind;        // for programs: "fewerGpus", "otherPool"; "several"
  std::string value;       // of the change: "2", "dev"; empty if it has none
  std::string flags = {};  // of the command line that ask for it: "--gpu 2"; empty if it has none
  std::string command =
      {};  // that makes it: "gpuyard update train --gpu 2"; empty if there is none
  std::vector<WorkLost> price = {};
};

// Running work that holds a part of what is missing.
struct WorkHolds {
  WorkloadId workload;
  std::string amount;  // "2 GPU"
};

struct NodeLack {
  std::string node;
  std::string missing;  // one sentence
};

// Why a workload waits and what would help.
struct Why {
  std::string reason;   // machine-readable, dominant
  std::string message;  // one sentence
  // What it waits for is reserved for this project: those who may know it are told so instead.
  std::optional<ProjectId> reserved_for;
  std::string reserved_message;
  bool never = false;  // not even if nothing else ran; the alternatives make it possible
  std::vector<std::string> further;
  std::vector<WaitCause> causes = {};    // all reasons that bind, the dominant one first
  std::vector<WorkHolds> holders = {};   // of what the dominant one lacks
  std::vector<WorkloadId> endless = {};  // running work whose end nobody knows
  std::string no_forecast = {};          // why there is none
  std::vector<NodeLack> nodes;
  std::vector<Alternative> alternatives;
  std::vector<WorkloadId> ahead;            // those before it; the caller may not see all of them
  std::optional<std::int64_t> position;     // in its queue, from 1
  std::vector<std::string> starts_on = {};  // work that starts: its nodes, each once
  std::optional<Time> earliest;
  std::optional<Time> latest;
  std::string basis;  // of the two times
};

// What a department or project is ranked by, in the pool that its waiting work tries first.
struct UnitTerms {
  MilliGpu held;
  MilliGpu ahead;                 // what its waiting work ahead would take
  MilliGpu share;                 // fair share
  std::optional<MilliGpu> quota;  // none: unlimited
  std::int64_t priority = 0;
};

// What a place in the queue is decided by, beside the workload's own priority and age.
struct QueueTerms {
  std::string_view policy;  // FairShare, NthGpu, DecayedShare or Fifo
  std::string pool;
  MilliGpu wants;
  std::optional<UnitTerms> department = {};  // where shares are compared
  std::optional<UnitTerms> project = {};     // the same
  std::optional<MilliGpu> nth_gpu = {};      // where GPUs are counted by person
};

struct QueueLine {
  WorkloadId workload;
  std::int64_t position = 0;
  std::string reason;
  std::optional<Time> earliest;
  std::optional<Time> latest;
  std::optional<QueueTerms> terms;  // none: it waits for something else than a place
};

// One running workload in the order of "anyone's first GPU before anyone's second".
struct NthGpuLine {
  WorkloadId workload;
  MilliGpu user_ordinal;    // the person's nth GPU
  MilliGpu global_ordinal;  // all GPUs down to this line
};

// How much a dry run finds out.
enum class DryRunDepth {
  kWhole,
  kPossibility,  // whether it can ever run: quick, however long the queue is
};

// A node as its engine sees it now. Names are unique within a cluster.
struct LiveNode : engine::NodeState {
  ClusterId cluster;
};

class Live {
 public:
  virtual ~Live() = default;

  // It runs under its owner's account of the machine: whoever enters it acts as that person.
  virtual bool RunsAsOwner(const Workload& /*workload*/) const { return false; }
  virtual Result<engine::LogChunk> ReadLog(const TaskChoice& task, std::int64_t offset,
                                           std::size_t limit) = 0;
  virtual Result<std::int64_t> LogOffsetAt(const TaskChoice& task, Time at) = 0;
  virtual Result<std::unique_ptr<engine::LogWatch>> WatchLog(const TaskChoice& task,
                                                             std::function<void()> grown) = 0;
  virtual Result<std::unique_ptr<engine::Session>> Exec(const TaskChoice& task,
                                                        const engine::ExecSpec& spec) = 0;
  virtual Result<std::unique_ptr<engine::Session>> Attach(const TaskChoice& task) = 0;
  virtual Result<UniqueFd> ConnectPort(const TaskChoice& task, std::uint16_t port) = 0;
  virtual Result<std::unique_ptr<engine::Session>> ReadFiles(const TaskChoice& task,
                                                             const std::string& path) = 0;
  virtual Result<std::unique_ptr<engine::Session>> WriteFiles(const TaskChoice& task,
                                                              const std::string& path) = 0;
  // Headers of what the task has left or leaves in its output folder, see engine::TaskFiles.
  virtual Result<std::unique_ptr<engine::Session>> ListOutput(const TaskChoice& task,
                                                              const std::string& path) = 0;
  virtual Result<engine::TaskUsage> Usage(const TaskChoice& task) = 0;
  // What an attempt that runs used until now, and the samples of any attempt; empty if none are
  // kept.
  virtual AttemptUse UseOf(AttemptId /*attempt*/) { return {}; }
  virtual UsageSeries UsageSeriesOf(AttemptId /*attempt*/) { return {}; }
  // Those of all clusters that answer; an error if none does.
  virtual Result<std::vector<LiveNode>> Nodes() = 0;
  // What the engine of a cluster can do; without a name if the cluster has none.
  virtual engine::Capabilities Abilities(ClusterId cluster) = 0;

  // Why each waiting workload waits, in short: published about once a second, read at no cost.
  virtual SharedBoard Waiting() { return std::make_shared<const WaitBoard>(); }
  // The same for one, in full.
  virtual Result<Why> Explain(WorkloadId workload) = 0;
  // And for a submission that is not made: what would happen.
  virtual Result<Why> DryRun(const Workload& draft, DryRunDepth depth) = 0;
  // Waiting workloads in the order of decision, cluster by cluster.
  virtual Result<std::vector<QueueLine>> Queue() = 0;
  // Running workloads, those first that are the last to give way under that order.
  virtual Result<std::vector<NthGpuLine>> NthGpuOrder() { return std::vector<NthGpuLine>{}; }
};

}  // namespace yard::control
