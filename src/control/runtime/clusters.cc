#include "control/runtime/clusters.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "control/commands/infra.h"

namespace yard::control {
namespace {

// The answers of all, one after the other. Those that cannot answer now are left out, unless all
// of them are.
template <class Item, class Ask>
Result<std::vector<Item>> Joined(const std::vector<std::unique_ptr<Driver>>& drivers, Ask ask) {
  std::vector<Item> all;
  std::optional<Error> error;
  std::size_t answered = 0;
  for (const std::unique_ptr<Driver>& driver : drivers) {
    Result<std::vector<Item>> some = ask(*driver);
    if (!some) {
      if (!error) error = some.error();
      continue;
    }
    ++answered;
    std::ranges::move(*some, std::back_inserter(all));
  }
  if (answered == 0 && error) return Fail(*std::move(error));
  return all;
}

}  // namespace

Clusters::~Clusters() {
  {
    std::lock_guard lock(mutex_);
    listening_.clear();
  }
  drivers_.clear();  // they pass work on until they end
}

Status Clusters::Add(engine::Engine& engine, DriverOptions options) {
  if (!options.cluster) {
    Ptr<Cluster> local = LocalCluster(*service_.Read());
    if (local) options.cluster = local->id;
  }
  const ClusterId id = options.cluster.value_or(ClusterId{});
  options.pass = [this, id](const Passed& passed) { Pass(id, passed); };
  YARD_ASSIGN(std::unique_ptr<Driver> driver, Driver::Start(service_, engine, std::move(options)));
  drivers_.push_back(std::move(driver));
  std::lock_guard lock(mutex_);
  listening_.push_back(drivers_.back().get());
  if (!passed_.empty()) listening_.back()->TakePassed(passed_);
  return {};
}

void Clusters::Pass(ClusterId from, const Passed& passed) {
  std::lock_guard lock(mutex_);
  auto [known, is_new] = passed_.try_emplace(from);
  if (!is_new && known->second == passed) return;
  known->second = passed;
  for (Driver* driver : listening_) {
    if (driver->cluster() != from) driver->TakePassed({{from, passed}});
  }
}

Driver& Clusters::DriverOf(ClusterId cluster) const {
  YARD_CHECK(!drivers_.empty());
  auto found = std::ranges::find(drivers_, cluster, [](const auto& one) { return one->cluster(); });
  return found == drivers_.end() ? *drivers_.front() : **found;
}

Driver& Clusters::DriverOf(WorkloadId workload) const {
  Ptr<Workload> found = service_.Read()->FindEver(workload);
  return DriverOf(found ? found->host() : ClusterId{});
}

// Samples of ended work are in files that all drivers read.
Driver& Clusters::DriverOf(AttemptId attempt) const {
  Ptr<Attempt> found = service_.Read()->Find<Attempt>(attempt);
  return found ? DriverOf(found->workload) : *drivers_.front();
}

bool Clusters::RunsAsOwner(const Workload& workload) const {
  return DriverOf(workload.host()).RunsAsOwner(workload);
}

Result<engine::LogChunk> Clusters::ReadLog(const TaskChoice& task, std::int64_t offset,
                                           std::size_t limit) {
  return DriverOf(task.workload).ReadLog(task, offset, limit);
}

Result<std::int64_t> Clusters::LogOffsetAt(const TaskChoice& task, Time at) {
  return DriverOf(task.workload).LogOffsetAt(task, at);
}

Result<std::unique_ptr<engine::LogWatch>> Clusters::WatchLog(const TaskChoice& task,
                                                             std::function<void()> grown) {
  return DriverOf(task.workload).WatchLog(task, std::move(grown));
}

Result<std::unique_ptr<engine::Session>> Clusters::Exec(const TaskChoice& task,
                                                        const engine::ExecSpec& spec) {
  return DriverOf(task.workload).Exec(task, spec);
}

Result<std::unique_ptr<engine::Session>> Clusters::Attach(const TaskChoice& task) {
  return DriverOf(task.workload).Attach(task);
}

Result<UniqueFd> Clusters::ConnectPort(const TaskChoice& task, std::uint16_t port) {
  return DriverOf(task.workload).ConnectPort(task, port);
}

Result<std::unique_ptr<engine::Session>> Clusters::ReadFiles(const TaskChoice& task,
                                                             const std::string& path) {
  return DriverOf(task.workload).ReadFiles(task, path);
}

Result<std::unique_ptr<engine::Session>> Clusters::ListOutput(const TaskChoice& task,
                                                              const std::string& path) {
  return DriverOf(task.workload).ListOutput(task, path);
}

Result<std::unique_ptr<engine::Session>> Clusters::WriteFiles(const TaskChoice& task,
                                                              const std::string& path) {
  return DriverOf(task.workload).WriteFiles(task, path);
}

Result<engine::TaskUsage> Clusters::Usage(const TaskChoice& task) {
  return DriverOf(task.workload).Usage(task);
}

AttemptUse Clusters::UseOf(AttemptId attempt) {
  return DriverOf(attempt).UseOf(attempt);
}

UsageSeries Clusters::UsageSeriesOf(AttemptId attempt) {
  return DriverOf(attempt).UsageSeriesOf(attempt);
}

Result<std::vector<LiveNode>> Clusters::Nodes() {
  return Joined<LiveNode>(drivers_, [](Driver& driver) { return driver.Nodes(); });
}

engine::Capabilities Clusters::Abilities(ClusterId cluster) {
  Driver& driver = DriverOf(cluster);
  return driver.cluster() == cluster ? driver.Abilities(cluster) : engine::Capabilities{};
}

SharedBoard Clusters::Waiting() {
  if (drivers_.size() == 1) return drivers_.front()->Waiting();
  WaitBoard all;
  for (const std::unique_ptr<Driver>& driver : drivers_) all.Add(*driver->Waiting());
  return std::make_shared<const WaitBoard>(std::move(all));
}

Result<Why> Clusters::Explain(WorkloadId workload) {
  return DriverOf(workload).Explain(workload);
}

Result<Why> Clusters::DryRun(const Workload& draft, DryRunDepth depth) {
  return DriverOf(draft.host()).DryRun(draft, depth);
}

Result<std::vector<QueueLine>> Clusters::Queue() {
  return Joined<QueueLine>(drivers_, [](Driver& driver) { return driver.Queue(); });
}

Result<std::vector<NthGpuLine>> Clusters::NthGpuOrder() {
  return Joined<NthGpuLine>(drivers_, [](Driver& driver) { return driver.NthGpuOrder(); });
}

}  // namespace yard::control
