// Running work without an engine, for tests of the API.
//
// Every workload has tasks that read like this: their log is what Write appended; a command
// echoes its input, says "to stderr" there and exits with 7 when its input ends; the command
// `flood` writes kFlood bytes; port N leads to what `ports` names; files are "tar of PATH".
// Thread-safe, except the public fields, which are set before requests are made.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "control/live.h"
#include "control/service.h"

namespace yard::api::testing {

class FakeLive final : public control::Live {
 public:
  static constexpr std::int64_t kFlood = 5'000'000;

  explicit FakeLive(control::Service& service) : service_(service) {}

  // The log of every task; `from` is what an offset before it leads to.
  void Write(std::string_view text, Time at);
  void EndLog();
  void DropLogBefore(std::int64_t offset);
  // Waits until somebody follows the log.
  void AwaitWatch();
  void AwaitNoWatch();
  std::size_t watches();
  // What was uploaded, once it is whole.
  std::string AwaitUpload();
  // The newest size a terminal was given, once there is one.
  std::pair<std::uint16_t, std::uint16_t> AwaitResize();
  // Waits until as many sessions were hung up.
  void AwaitHangUps(int count);

  std::map<std::uint16_t, std::uint16_t> ports;  // to a port of this machine
  std::optional<Error> refusal;                  // of every call that can fail
  std::vector<std::vector<std::string>> commands;
  control::TaskChoice last_task;
  Workload last_draft;
  std::vector<WorkloadId> ahead;  // of what is explained
  std::atomic<bool> runs_as_owner = false;
  std::string outputs;  // the headers of what is left; empty: there is nothing
  bool parking = true;  // the engine can take work off its GPUs
  std::optional<ProjectId> reserved_for;
  std::optional<engine::GpuState> gpu;  // of every node; absent: a declared one

  bool RunsAsOwner(const Workload&) const override { return runs_as_owner; }
  Result<engine::LogChunk> ReadLog(const control::TaskChoice& task, std::int64_t offset,
                                   std::size_t limit) override;
  Result<std::int64_t> LogOffsetAt(const control::TaskChoice& task, Time at) override;
  Result<std::unique_ptr<engine::LogWatch>> WatchLog(const control::TaskChoice& task,
                                                     std::function<void()> grown) override;
  Result<std::unique_ptr<engine::Session>> Exec(const control::TaskChoice& task,
                                                const engine::ExecSpec& spec) override;
  Result<std::unique_ptr<engine::Session>> Attach(const control::TaskChoice& task) override;
  Result<UniqueFd> ConnectPort(const control::TaskChoice& task, std::uint16_t port) override;
  Result<std::unique_ptr<engine::Session>> ReadFiles(const control::TaskChoice& task,
                                                     const std::string& path) override;
  Result<std::unique_ptr<engine::Session>> WriteFiles(const control::TaskChoice& task,
                                                      const std::string& path) override;
  Result<std::unique_ptr<engine::Session>> ListOutput(const control::TaskChoice& task,
                                                      const std::string& path) override;
  Result<engine::TaskUsage> Usage(const control::TaskChoice& task) override;
  Result<std::vector<control::LiveNode>> Nodes() override;
  Result<control::Why> Explain(WorkloadId workload) override;
  Result<control::Why> DryRun(const Workload& draft, control::DryRunDepth depth) override;
  engine::Capabilities Abilities(ClusterId cluster) override;
  // Every workload on record, with its place among those of its project.
  Result<std::vector<control::QueueLine>> Queue() override;

 private:
  class Watch;
  class FakeSession;

  void Note(const control::TaskChoice& task);
  std::unique_ptr<engine::Session> Echo();
  void TellWatches();

  control::Service& service_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string log_;
  std::int64_t kept_from_ = 0;
  std::vector<std::pair<Time, std::int64_t>> written_;
  bool ended_ = false;
  std::set<Watch*> watches_;
  std::optional<std::string> upload_;
  std::optional<std::pair<std::uint16_t, std::uint16_t>> size_;
  int hang_ups_ = 0;
};

}  // namespace yard::api::testing
