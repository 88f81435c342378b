// All clusters that this server drives: one driver and one engine each, and one door to all.
//
// Clusters share the state and the reactor and nothing else: one that is slow or out of contact
// holds up nobody else. A call about a workload goes to the cluster that runs it.
// Thread-safe; see control/live.h.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "control/live.h"
#include "control/runtime/driver.h"
#include "control/service.h"

namespace yard::control {

class Clusters final : public Live {
 public:
  explicit Clusters(Service& service) : service_(service) {}
  ~Clusters() override;
  Clusters(const Clusters&) = delete;
  Clusters& operator=(const Clusters&) = delete;

  // Starts to drive the cluster that the options name. The first one answers for clusters that
  // nobody drives. Before all other calls; the engine must outlive this.
  Status Add(engine::Engine& engine, DriverOptions options);
  bool empty() const { return drivers_.empty(); }
  // For tests.
  Driver& at(ClusterId cluster) { return DriverOf(cluster); }

  bool RunsAsOwner(const Workload& workload) const override;
  Result<engine::LogChunk> ReadLog(const TaskChoice& task, std::int64_t offset,
                                   std::size_t limit) override;
  Result<std::int64_t> LogOffsetAt(const TaskChoice& task, Time at) override;
  Result<std::unique_ptr<engine::LogWatch>> WatchLog(const TaskChoice& task,
                                                     std::function<void()> grown) override;
  Result<std::unique_ptr<engine::Session>> Exec(const TaskChoice& task,
                                                const engine::ExecSpec& spec) override;
  Result<std::unique_ptr<engine::Session>> Attach(const TaskChoice& task) override;
  Result<UniqueFd> ConnectPort(const TaskChoice& task, std::uint16_t port) override;
  Result<std::unique_ptr<engine::Session>> ReadFiles(const TaskChoice& task,
                                                     const std::string& path) override;
  Result<std::unique_ptr<engine::Session>> WriteFiles(const TaskChoice& task,
                                                      const std::string& path) override;
  Result<std::unique_ptr<engine::Session>> ListOutput(const TaskChoice& task,
                                                      const std::string& path) override;
  Result<engine::TaskUsage> Usage(const TaskChoice& task) override;
  AttemptUse UseOf(AttemptId attempt) override;
  UsageSeries UsageSeriesOf(AttemptId attempt) override;
  Result<std::vector<LiveNode>> Nodes() override;
  engine::Capabilities Abilities(ClusterId cluster) override;
  SharedBoard Waiting() override;
  Result<Why> Explain(WorkloadId workload) override;
  Result<Why> DryRun(const Workload& draft, DryRunDepth depth) override;
  Result<std::vector<QueueLine>> Queue() override;
  Result<std::vector<NthGpuLine>> NthGpuOrder() override;

 private:
  Driver& DriverOf(ClusterId cluster) const;
  Driver& DriverOf(WorkloadId workload) const;
  Driver& DriverOf(AttemptId attempt) const;
  void Pass(ClusterId from, const Passed& passed);

  Service& service_;
  std::vector<std::unique_ptr<Driver>> drivers_;  // constant after the last Add

  std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<Driver*> listening_;
  PassedBy passed_;
};

}  // namespace yard::control
