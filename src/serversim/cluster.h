// Simulated machines: an engine without processes that outlives the server, in simulated time.
//
// Tasks start, run and end by themselves. The cluster can be out of reach: then calls fail with
// kUnavailable and messages are lost, while tasks go on. It notes every breach of the engine's
// contract by its caller. One thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/engine.h"
#include "serversim/disk.h"
#include "serversim/schedule.h"

namespace yard::serversim {

class Cluster final : public engine::Engine, public engine::Checkpoint {
 public:
  Cluster(Schedule& schedule, const Clock& clock, const Disk& disk, SeededRandom& random);

  void AddNode(const std::string& name, int gpus);
  void SetReady(const std::string& name, bool ready);
  void SetReachable(bool reachable) { reachable_ = reachable; }
  bool reachable() const { return reachable_; }
  const std::vector<engine::NodeState>& nodes() const { return nodes_; }
  // Every status that a task came to, before the network carries or loses it.
  std::function<void(const engine::TaskStatus&)> on_status;
  // The first breach by the caller; empty: none.
  const std::string& breach() const { return breach_; }

  struct Task {
    engine::TaskStatus status;
    std::string node;
    std::vector<engine::GpuGrant> gpus;
    bool parked = false;  // its memory is off its GPUs
  };
  // The tasks that have not ended.
  const std::set<engine::TaskKey>& live() const { return live_; }
  // Whether it was launched and is over. What was forgotten is not known any more.
  bool HasEnded(const engine::TaskKey& key) const;

  engine::Capabilities capabilities() const override;
  Result<std::vector<engine::NodeState>> Nodes() override;
  Result<std::vector<engine::TaskStatus>> Adopt(engine::Listener listener) override;
  Status Launch(engine::TaskSpec spec) override;
  Status Stop(const engine::TaskKey& key, const engine::StopOptions& options) override;
  std::vector<engine::TaskStatus> StatusOf(std::span<const engine::TaskKey> keys) override;
  std::vector<engine::TaskUsage> UsageOf(std::span<const engine::TaskKey> keys) override;
  void Forget(const engine::TaskKey& key) override;
  engine::Checkpoint* checkpoint() override { return this; }
  Status Park(const engine::TaskKey& key) override;
  Status Unpark(const engine::TaskKey& key) override;

 private:
  void Breach(std::string what);
  void CheckBooking(const engine::TaskKey& key, const std::vector<engine::GpuGrant>& gpus);
  // Which runs; what else happened to it is the answer.
  Result<Task*> Movable(const engine::TaskKey& key);
  void Start(const engine::TaskKey& key);
  void End(const engine::TaskKey& key, EndCause cause, std::optional<std::int32_t> code);
  Micros UpTo(std::int64_t seconds);

  Schedule& schedule_;
  const Clock& clock_;
  const Disk& disk_;
  SeededRandom& random_;
  std::vector<engine::NodeState> nodes_;
  std::map<engine::TaskKey, Task> tasks_;
  std::set<engine::TaskKey> live_;
  std::set<engine::TaskKey> forgotten_;
  bool reachable_ = true;
  std::string breach_;
};

}  // namespace yard::serversim
